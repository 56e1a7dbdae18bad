/** The READMEs' tables agree with the code, and the README stays short. */
import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { pipelineSettings } from "../pipeline/settings/pipeline.ts";
import { serverSettings } from "../pipeline/settings/server.ts";
import { endpoints } from "../server/endpoints/all.ts";
import { READMES } from "./support/readmes.ts";
import { settingsTable } from "./support/settings-table.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string) => readFile(join(ROOT, name), "utf8");
/** The text from a heading to the next one of its rank. */
const section = (text: string, heading: string): string => text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
const tableIn = (text: string): string => /(?:^\|.*\n)+/m.exec(text)?.[0].trimEnd() ?? "";
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);

describe("README.md", async () => {
  const readme = await read("README.md");

  it("has at most 110 lines of at most 120 characters", () => {
    const lines = readme.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(110);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("shows the site in a picture of at most 150 kB", () => {
    const [, picture = ""] = /!\[[^\]]+\]\(([^)]+\.webp)\)/.exec(readme) ?? [];
    const { size } = statSync(join(ROOT, picture));
    expect(size).toBeGreaterThan(10_000);
    expect(size).toBeLessThanOrEqual(150_000);
  });
});

describe("the dependencies", async () => {
  const ofFolder = async (folder: string) => section(await read(`${folder}/README.md`), "Dependencies");
  const [pipeline, server] = [await ofFolder("pipeline"), await ofFolder("server")];
  const listedIn = (text: string) =>
    tableIn(text)
      .split("\n")
      .flatMap((line) => codeIn(line.split("|")[1] ?? ""));
  const { dependencies, devDependencies } = JSON.parse(await read("package.json")) as Record<string, object>;

  it("each have a reason in one of two READMEs, and nothing else has", () => {
    expect([...listedIn(pipeline), ...listedIn(server)].sort()).toEqual(Object.keys(dependencies ?? {}).sort());
  });

  it("of the pipeline are those that it imports; the server has the others", async () => {
    const sources = (await readdir(join(ROOT, "pipeline"), { recursive: true })).filter((name) => name.endsWith(".ts"));
    const texts = await Promise.all(sources.map((name) => read(join("pipeline", name))));
    const imported = Object.keys(dependencies ?? {}).filter((name) =>
      texts.some((text) => new RegExp(`(?:from |import\\()"${name}["/]`).test(text)),
    );
    expect(listedIn(pipeline).sort()).toEqual(imported.sort());
  });

  it("for development are all named", () => {
    const [, forDevelopment = ""] = pipeline.split("For development:");
    expect(Object.keys(devDependencies ?? {}).filter((name) => !codeIn(forDevelopment).includes(name))).toEqual([]);
  });
});

it("server/README.md lists every endpoint, and no other", async () => {
  const table = tableIn(section(await read("server/README.md"), "Endpoints"));
  const listed = table.split("\n").flatMap((line) => codeIn(line.split("|")[1] ?? ""));
  expect(listed.sort()).toEqual(endpoints.map(({ path }) => path).sort());
});

it.each([
  ["pipeline", pipelineSettings],
  ["server", serverSettings],
] as const)("%s/README.md has the table of environment variables of its schema", async (folder, settings) => {
  const table = tableIn(section(await read(`${folder}/README.md`), "Configuration"));
  expect(table).toBe(settingsTable(settings));
  expect(table.split("\n").length).toBeGreaterThan(14);
});

it("pipeline/README.md lists every make target that a user calls", async () => {
  const commands = tableIn(section(await read("pipeline/README.md"), "Commands"));
  const targets = [...(await read("Makefile")).matchAll(/^([a-z-]+):.*## /gm)].map(([, name]) => name as string);
  for (const name of targets.filter((target) => !["help", "setup"].includes(target)))
    expect(commands).toMatch(new RegExp(`\`make ${name}[ \`]`));
});

it("what data/README.md lists is never offered for a commit", async () => {
  const paths = tableIn(await read("data/README.md"))
    .split("\n")
    .flatMap((line) => codeIn(line.split("|")[1] ?? ""));
  expect(paths.length).toBeGreaterThan(6);
  const ignored = (await read(".gitignore")).split("\n");
  expect(paths.filter((path) => ![path, `${path}*`].some((name) => ignored.includes(`/data/${name}`)))).toEqual([]);
});

it.each(READMES)("the links of %s lead somewhere", async (name) => {
  const links = [...(await read(name)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  for (const [, path = "", anchor] of links) {
    const target = path === "" ? name : join(dirname(name), path);
    expect(existsSync(join(ROOT, target)), target).toBe(true);
    if (anchor === undefined) continue;
    const headings = [...(await read(target)).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
    expect(headings.map((heading) => heading.toLowerCase().replaceAll(" ", "-"))).toContain(anchor);
  }
});
