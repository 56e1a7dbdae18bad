/**
 * `npm run -s client`: writes the typed client to the standard output, or with `--out <file>` into a file. A file `client.js` gets the client in
 * JavaScript, which every supported Node runs, and `client.ts` stands beside it with the types.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { transform } from "esbuild";
import { endpoints } from "../../../endpoints/all.ts";
import { toClient } from "./client.ts";
import { toDocument } from "../pages.ts";

async function writeClient(client: string, path: string): Promise<void> {
  await writeFile(path.replace(/(?<=\.m?)js$/, "ts"), client);
  if (!/\.m?js$/.test(path)) return;
  const { code } = await transform(client, { loader: "ts", target: "es2022" });
  await writeFile(path, code);
}

async function main(): Promise<void> {
  const client = toClient(toDocument({ endpoints }));
  try {
    const { values } = parseArgs({ options: { out: { type: "string" } } });
    if (values.out === undefined) process.stdout.write(client);
    else await writeClient(client, values.out);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}

await main();
