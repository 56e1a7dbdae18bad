/** The READMEs' tables agree with the code, and the README stays short. */
import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { pipelineSettings } from "../pipeline/config.ts";
import { serverSettings } from "../server/config.ts";
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

  it("has at most 130 lines of at most 120 characters", () => {
    const lines = readme.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(130);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("shows the site in a picture of at most 150 kB", () => {
    const [, picture = ""] = /!\[[^\]]+\]\(([^)]+\.png)\)/.exec(readme) ?? [];
    const { size } = statSync(join(ROOT, picture));
    expect(size).toBeGreaterThan(10_000);
    expect(size).toBeLessThanOrEqual(150_000);
  });

  it("gives a reason for every dependency, and lists no other", async () => {
    const { dependencies } = JSON.parse(await read("package.json")) as { dependencies: Record<string, string> };
    const listed = tableIn(section(readme, "Dependencies"))
      .split("\n")
      .flatMap((line) => codeIn(line.split("|")[1] ?? ""));
    expect(listed.sort()).toEqual(Object.keys(dependencies).sort());
  });

  it("names every development dependency", async () => {
    const { devDependencies } = JSON.parse(await read("package.json")) as { devDependencies: Record<string, string> };
    const [, forDevelopment = ""] = section(readme, "Dependencies").split("For development:");
    expect(Object.keys(devDependencies).filter((name) => !codeIn(forDevelopment).includes(name))).toEqual([]);
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
