/** `npm run -s client`: writes the typed client to the standard output, or with `--out <file>` into a file. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { endpoints } from "../../../endpoints/all.ts";
import { toClient } from "./client.ts";
import { toDocument } from "../pages.ts";

async function main(): Promise<void> {
  const client = toClient(toDocument({ endpoints }));
  try {
    const { values } = parseArgs({ options: { out: { type: "string" } } });
    if (values.out === undefined) process.stdout.write(client);
    else await writeFile(values.out, client);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}

await main();
