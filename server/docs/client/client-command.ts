/**
 * `npm run -s client`: writes the typed client to the standard output, or with `--out <file>` into a file. A file `client.js` gets the client in
 * JavaScript, which every supported Node runs, and `client.ts` stands beside it with the types.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { endpoints } from "../../endpoints/all.ts";
import { toClient } from "./client.ts";
import { toDocument } from "../pages.ts";

async function main(): Promise<void> {
  const { ts, js } = await toClient(toDocument({ endpoints }));
  try {
    const { values } = parseArgs({ options: { out: { type: "string" } } });
    if (values.out === undefined) process.stdout.write(ts);
    else {
      await writeFile(values.out.replace(/(?<=\.m?)js$/, "ts"), ts);
      if (/\.m?js$/.test(values.out)) await writeFile(values.out, js);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}

await main();
