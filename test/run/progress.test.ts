/**
 * The output of a run: on a terminal a line for each phase above a status line, and a summary; elsewhere the log and
 * the report, or only problems.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWhole } from "../support/extent.ts";
import { start, translated } from "../support/program.ts";
import { openTerminal, runInTerminal, showOnScreen } from "../support/terminal.ts";
import { openSmallCampus } from "../support/upstream/small-campus.ts";
import { openFolder } from "../support/whole-run.ts";

const STATUS = /[█░]/;
const LOG = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z (?:debug|info |warn |error) /;
const SIZE = { columns: 100, rows: 8 };
const PHASES = ["setup", "calendar", "schedule", "grades", "catalogue", "instructors", "larc", "history", "enrollment"];
const TERMS = ["2019 Winter", "2019 Fall"];

let campus: Awaited<ReturnType<typeof openSmallCampus>>;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  campus = await openSmallCampus(TERMS);
  folder = await openFolder();
});
afterAll(async () => {
  await campus?.close();
  await folder?.remove();
});

async function inTerminal(command: string, env: Record<string, string>, size = SIZE, urls = campus.urls()) {
  const program = `${process.execPath} ${translated("pipeline/main.ts")} ${command}`;
  const { code, written } = await runInTerminal(program, { ...urls, ...env }, size);
  const seen = new Set<string>();
  const lines = showOnScreen(written, size, (line) => seen.add(line));
  // A text as wide as the terminal continues on the next line.
  expect(lines.filter((line) => line.length >= size.columns)).toEqual([]);
  expect(lines.filter((line) => STATUS.test(line))).toEqual([]);
  return { code, lines, written, status: [...seen].filter((line) => STATUS.test(line)) };
}

const phasesIn = (lines: readonly string[]) => lines.flatMap((line) => /^[✓✕–] (\w+)/.exec(line)?.[1] ?? []);

describe("on a terminal", () => {
  it("a build: each phase has its line, none ever mixes with the status, and the summary says first what matters", async () => {
    const { code, lines, status, written } = await inTerminal("build", folder.env);
    expect(code).toBe(0);
    expect(phasesIn(lines)).toEqual([...PHASES, "publish"]);
    for (const term of TERMS)
      expect(status.some((line) => new RegExp(`^█+░+ 2/10 schedule ${term} \\d+/\\d+ \\d+ s$`).test(line))).toBe(true);
    expect(status.filter((line) => /[✓✕–]|\d{4}-\d\d-\d\dT|\brows\b/.test(line))).toEqual([]);
    // Colours are for nobody, so NO_COLOR has nothing to turn off.
    expect(
      written
        .split("\u001b[")
        .slice(1)
        .every((part) => part.startsWith("2K")),
    ).toBe(true);
    const [published = "", ...rest] = lines.slice(lines.indexOf("") + 1).filter(Boolean);
    expect(published).toMatch(/^Published: snapshot [0-9a-f]{16}\. All is well\. \(\d+\.\d s\)$/);
    expect(rest).toEqual([
      expect.stringMatching(/^New +[\d,]+ sections, [\d,]+ grade rows, [\d,]+ courses, [\d,]+ instructors$/),
      expect.stringMatching(/^Report +\/.*\/report\.txt$/),
    ]);
  });

  it("what is not due is said to be so", async () => {
    const { code, lines } = await inTerminal("refresh", folder.env);
    expect(code).toBe(0);
    expect(phasesIn(lines)).toEqual([...PHASES, "publish"]);
    expect(lines).toContainEqual(expect.stringMatching(/^– catalogue +not due$/));
    expect(lines).toContainEqual(expect.stringMatching(/^Published: snapshot \w+, as before\. All is well\./));
    expect(lines).toContainEqual("New      nothing");
  });

  it("what failed: cause and remedy after the first line, broken at blanks in 60 columns; status 1", async () => {
    const size = { columns: 60, rows: 8 };
    const { code, lines } = await inTerminal(
      "build",
      folder.env,
      size,
      campus.urls({ down: ["larc"], only: ["larc", "calendar"] }),
    );
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^✕ larc +\d+\.\d s {2}what is published of it stays$/));
    const from = lines.findIndex((line) => line.startsWith("Published with problems: snapshot "));
    const text = lines.slice(from).join("\n");
    expect(text).toMatch(/\n\nNeeds attention\n {2}✕ larc: 127\.0\.0\.1:9 refused the connection\n {4}→ `make doctor`/);
    expect(text).toMatch(/\n {6}\S.*\n\nNew /);
  });

  it.runIf(isWhole)("a dumb one gets the same lines, and no control character", async () => {
    const { lines, written } = await inTerminal("refresh", { ...folder.env, TERM: "dumb" });
    expect(phasesIn(lines)).toEqual([...PHASES, "publish"]);
    expect(written).not.toContain("\u001b");
    expect(written).not.toMatch(STATUS);
  });

  it("Ctrl-C leaves whole lines, and nothing of the status", async () => {
    const other = await openFolder();
    const program = `${process.execPath} ${translated("pipeline/main.ts")} build`;
    const terminal = openTerminal(program, { ...campus.urls(), ...other.env, CRAWL_PAUSE_MS: "50" }, SIZE);
    await terminal.says(/2\/10 schedule 2019 Winter 1\//);
    terminal.type("\u0003");
    expect(await terminal.ended).not.toBe(0);
    const lines = showOnScreen(terminal.written(), SIZE, () => {});
    expect(phasesIn(lines)).toEqual(PHASES.slice(0, 2));
    expect(lines.filter((line) => !/^✓ |^(?:\^C)?$/.test(line))).toEqual([]);
    await other.remove();
  });
});

describe("elsewhere", () => {
  const run = (command: string, env: Record<string, string> = {}, urls = campus.urls()) =>
    start("pipeline/main.ts", [command], { ...urls, ...folder.env, ...env }).ended;

  it("a build writes log lines and the report, without a byte of the status", async () => {
    const { code, out, err } = await run("build", {}, campus.urls({ only: ["larc"] }));
    expect(code).toBe(0);
    expect([..."█░\r\u{1b}"].filter((sign) => (out + err).includes(sign))).toEqual([]);
    const others = err.split("\n").filter((line) => !LOG.test(line));
    expect(others).toEqual([""]);
    expect(out).toMatch(/^build of .*All products are published or unchanged\.\n$/s);
  });

  it("a refresh, as from cron, writes nothing when all is well", async () => {
    expect(await run("refresh")).toEqual({ code: 0, out: "", err: "" });
  });

  it("with LOG_LEVEL it writes the log and the report", async () => {
    const { code, out, err } = await run("refresh", { LOG_LEVEL: "info" });
    expect([code, out]).toEqual([0, expect.stringMatching(/^refresh of .*\n.* \(unchanged\)/)]);
    expect(err).toContain("built product=schedule");
  });

  it("when something failed it writes what, why and the remedy, and nothing else of the run; status 1", async () => {
    const { code, out, err } = await run("refresh", campus.urls({ down: ["schedule"] }));
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Published with problems: .*\n\nNeeds attention\n {2}✕ schedule: \S+ refused the connection\n {4}→ `make doctor`/,
    );
    expect(out).not.toMatch(/grades:|history:/);
    for (const line of err.trimEnd().split("\n")) expect(line).toMatch(/^\S+Z (?:warn |error) /);
  });
});
