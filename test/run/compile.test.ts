/**
 * `make setup` compiles: several at once, sources with a fault, and without a compiler. A release shows that the
 * compiled programs need none.
 */
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = [".setup", "Makefile", "package.json", "package-lock.json", "tsconfig.json", "pipeline", "server"];
const run = promisify(execFile);

let project: string;
const { PATH = "", HOME = "" } = process.env;
const inProject = { cwd: "", env: { PATH, HOME } };

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "compile-"));
  inProject.cwd = project;
  for (const name of PARTS) cpSync(join(ROOT, name), join(project, name), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it("nothing is compiled, and no package is there that could do it: the command says what to do", async () => {
  const failed = await run("npm", ["run", "-s", "pipeline", "--", "verify"], inProject).catch(
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^[^\n]*call `make setup`\.\n$/) as string });
});

it("two compile at once: each succeeds, and one program is there", async () => {
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  const compile = () => run(process.execPath, [".setup/compile.mjs"], inProject);
  const all = await Promise.all([compile(), compile()]);
  expect(all).toEqual(all.map(() => ({ stdout: "", stderr: "" })));
  const [version, ...more] = readdirSync(join(project, "dist")).filter((name) => name !== "current");
  expect([version, more]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), []]);
});

it.each(["server/main.ts", "server/site/app/format.ts"])(
  "when %s cannot be compiled, the error says where, and the program that was there stays",
  async (name) => {
    const [path, current] = [join(project, name), join(project, "dist/current")];
    const [source, before] = [readFileSync(path, "utf8"), readlinkSync(current)];
    writeFileSync(path, `${source}\nexport const = 1;\n`);
    const failed = await run(process.execPath, [".setup/compile.mjs"], inProject).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(name) as string });
    expect(readdirSync(join(project, "dist")).sort()).toEqual([before, "current"].sort());
    expect(readlinkSync(current)).toBe(before);
    writeFileSync(path, source);
  },
);
