/** The compiled browser code is that of the sources as they are, also after a change, and also when what was kept is damaged. */
import { appendFile, cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CACHE, findBrowserCode } from "../../../../server/site/start/browser-code.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

let [folder, sources, cache] = ["", "", ""];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "browser-code-"));
  [sources, cache] = [join(folder, "browser"), join(folder, "cache/kept.json")];
  await cp(join(ROOT, "server/site/start/browser"), sources, { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const find = () => findBrowserCode(sources, cache);
const mark = async () => {
  const kept = await readFile(cache, "utf8");
  await writeFile(cache, kept.replace('"start.css":"', '"start.css":"/* kept */'));
};

it("is cached beside the packages, where `make setup` looks for it", async () => {
  expect(CACHE).toBe(join(await realpath(join(ROOT, "node_modules")), ".cache/browser-code.json"));
});

it("is compiled once, and again when a source changes or what was kept cannot be read", async () => {
  const compiled = await find();
  expect(compiled["start.css"]).toContain("--ground");
  await mark();
  expect((await find())["start.css"]).toBe(`/* kept */${compiled["start.css"]}`);

  await appendFile(join(sources, "styles/page.css"), ".added { color: red }");
  expect((await find())["start.css"]).toMatch(/^(?!.*kept).*\.added/s);
  await mark();
  expect((await find())["start.css"]).toContain("kept");

  await writeFile(cache, "{");
  expect((await find())["start.css"]).toMatch(/^(?!.*kept).*\.added/s);
});

it("is not served at all when it cannot be compiled", async () => {
  await appendFile(join(sources, "format.ts"), "\nexport const = 1;");
  await expect(find()).rejects.toThrow(/Expected identifier/);
});
