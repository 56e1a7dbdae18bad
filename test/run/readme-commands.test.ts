/**
 * The commands in README.md do what it shows: each runs as printed against the sample campus, at two moments, and
 * prints the documented output.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { serveCompiled } from "../support/compiled-server.ts";
import { someOf } from "../support/extent.ts";
import { buildSample } from "../support/sample-build.ts";
import { openFolder } from "../support/whole-run.ts";

/**
 * The terms that the commands use: a quarter, and the sessions without which the grades of a summer match no section.
 */
const TERMS = ["Summer1", "Summer10wk", "Summer2", "Fall"].map((name) => `2025 ${name}`).join(",");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const readme = await readFile(join(ROOT, "README.md"), "utf8");
const fences = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, text = ""]) => text);

/** A command goes on while lines are indented; what follows is its output. */
const shown = fences("console").map((text) => {
  const [, command = "", output = ""] = /^\$ (.*\n(?: +.*\n)*)([^$]*)$/.exec(text) ?? [];
  return { command, output: output.trimEnd() };
});
const [starts = "", tries = ""] = fences("sh");
const linesOf = (text: string) => text.trimEnd().split("\n");

/** `…` is what differs from day to day. */
const toPattern = (output: string): RegExp =>
  new RegExp(
    `^${output
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("\\S+")}$`,
  );

it("every command is understood here: four with their output, six to try, three to start", async () => {
  expect(shown.filter(({ command, output }) => command !== "" && output !== "")).toHaveLength(4);
  expect(linesOf(tries)).toHaveLength(6);
  for (const line of linesOf(tries)) expect(line).toMatch(/^curl .*localhost:3000\/\w.* # \w/);
  expect(fences("[a-z]*").length).toBe(shown.length + 3);
  const targets = linesOf(starts).map((line) => /^make (\w+) +# /.exec(line)?.[1]);
  const makefile = await readFile(join(ROOT, "Makefile"), "utf8");
  for (const target of [...targets, "build-data", "refresh"]) expect(makefile).toMatch(new RegExp(`^${target}: `, "m"));
  expect(targets).toHaveLength(3);
});

it("the line for a real university names settings that are understood, and addresses of every system", () => {
  const [, campus = "", terms = ""] = /`CAMPUS=(\w+) TERMS="([^"]*)" make build-data`/.exec(readme) ?? [];
  const config = readPipelineConfig({ CAMPUS: campus, TERMS: terms });
  expect(Object.keys(config.addresses)).toEqual(expect.arrayContaining(["schedule", "catalogue", "directory"]));
});

// Enough days apart that whatever depends on the clock differs.
describe.each(someOf([new Date(), new Date("2026-02-20T18:00:00Z")], 1))("as of %s", (now) => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serveCompiled>>;
  let scratch: string;
  beforeAll(async () => {
    [folder, scratch] = await Promise.all([openFolder(), mkdtemp(join(tmpdir(), "readme-"))]);
    await buildSample(folder, TERMS, undefined, now);
    server = await serveCompiled(folder.env);
  });
  afterAll(async () => {
    server?.close();
    await Promise.all([folder?.remove(), rm(scratch, { recursive: true, force: true })]);
  });

  /** Uses a temporary folder in place of the repository of the README's reader. A refused request fails. */
  async function run(command: string): Promise<string> {
    const functions = `curl() { command curl --fail --show-error "$@"; }; make() { command make --no-print-directory -C "${ROOT}" "$@"; }`;
    const here = command.replaceAll("localhost:3000", new URL(server.url).host);
    const { PATH = "", HOME = "" } = process.env;
    const { stdout } = await promisify(execFile)("bash", ["-ec", `${functions}\n${here}`], {
      cwd: scratch,
      env: { PATH, HOME, ...folder.env },
      maxBuffer: 100_000_000,
    });
    return stdout.trimEnd();
  }

  it.each(shown)("$command", async ({ command, output }) => expect(await run(command)).toMatch(toPattern(output)));
  it.each(linesOf(tries))("%s", async (line) => expect((await run(line)).length).toBeGreaterThan(40));
});
