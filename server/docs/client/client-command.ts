/**
 * `npm run -s client`: writes the typed client to standard output, or with `--out <file>` to a file. For a file
 * `client.js`, it writes the client in JavaScript, which every supported Node runs, and its types to `client.ts` next
 * to it.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { readClient } from "./client.ts";

async function main(): Promise<void> {
  try {
    const { values } = parseArgs({ options: { out: { type: "string" } } });
    const types = await readClient("ts");
    if (values.out === undefined) process.stdout.write(types);
    else {
      await writeFile(values.out.replace(/(?<=\.m?)js$/, "ts"), types);
      if (/\.m?js$/.test(values.out)) await writeFile(values.out, await readClient("js"));
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}

await main();
