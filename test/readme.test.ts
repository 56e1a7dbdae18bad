/** The README's tables say what there is. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { endpoints } from "../server/endpoints/all.ts";
import { settingsTable } from "./support/settings-table.ts";

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), "utf8");
const inTable = (text: string, word: string) =>
  text.split("\n").some((line) => line.startsWith("|") && line.includes(`\`${word}\``));

describe("README", async () => {
  const readme = await read("README.md");

  it.each(endpoints.map(({ path }) => path))("lists the endpoint %s", (path) => {
    expect(inTable(readme, path)).toBe(true);
  });

  it("lists no endpoint that there is not", () => {
    const section = readme.slice(readme.indexOf("## Endpoints"), readme.indexOf("Good to know"));
    const listed = [...section.matchAll(/`(\/(?!v1)[A-Za-z/:]+)`/g)].map(([, path]) => path);
    expect(listed.sort()).toEqual(endpoints.map(({ path }) => path).sort());
  });

  it("has the table of environment variables that the configuration's schemas declare", () => {
    const section = readme.slice(readme.indexOf("## Configuration"));
    const table = section.split("\n").filter((line) => line.startsWith("|"));
    const expected = settingsTable().split("\n");
    expect(table.slice(0, expected.length)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(25);
  });

  it("gives a reason for every dependency, and lists no other", async () => {
    const { dependencies } = JSON.parse(await read("package.json")) as { dependencies: Record<string, string> };
    const section = readme.slice(readme.indexOf("### Dependencies"), readme.indexOf("For development"));
    const listed = section
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(listed.sort()).toEqual(Object.keys(dependencies).sort());
  });

  it("lists every make target that a user calls", async () => {
    const targets = [...(await read("Makefile")).matchAll(/^([a-z-]+):.*## /gm)].map(([, name]) => name as string);
    for (const name of targets.filter((target) => !["help", "setup", "clean"].includes(target)))
      expect(readme).toContain(`make ${name}`);
  });
});
