/** The README's program runs as it is printed, on the Node that runs the tests: command, client and example. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";

const run = promisify(execFile);
const root = new URL("../../../..", import.meta.url).pathname;
const readme = await readFile(join(root, "README.md"), "utf8");
const [, command = "", name = "", example = ""] =
  /\*\*A program\.\*\* `npm (run [^`]*)`[^]*?```js\n\/\/ (\S+\.mjs)[^\n]*\n([^]*?\n)```/.exec(readme) ?? [];

let data: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
let folder: string;
beforeAll(async () => {
  [data, folder] = await Promise.all([openFolder(), mkdtemp(join(tmpdir(), "client-readme-"))]);
  const sections = ["34000", "34001"].map((sectionCode) =>
    sectionRow({ year: "2026", quarter: "Fall", deptCode: "COMPSCI", sectionCode }),
  );
  await publishRows(data.artifacts, { sections, headings: headingsOf(sections) });
  server = await serve(data.env);
});
afterAll(async () => {
  await server?.close();
  await Promise.all([data?.remove(), rm(folder, { recursive: true, force: true })]);
});

it("the client is written in JavaScript, with its TypeScript beside it", async () => {
  // Into a folder of the test instead of the repository's.
  await run("npm", command.replace("--out ", `--out ${folder}/`).split(" "), { cwd: root });
  expect(await readFile(join(folder, "client.ts"), "utf8")).toContain("export type Client");
  expect(await readFile(join(folder, "client.js"), "utf8")).not.toMatch(/^(?:export )?(?:type|interface) /m);
});

it("the program runs", async () => {
  await writeFile(join(folder, name), example.replaceAll("http://localhost:3000", server.url));
  const { stdout, stderr } = await run(process.execPath, [name], { cwd: folder });
  expect([stdout, stderr]).toEqual(["10 MOVEMENT: 2 sections\n", ""]);
});
