/** `make sql` without a statement: its prompt on a terminal, and the statements of standard input. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { start, translated } from "../support/program.ts";
import { openTerminal } from "../support/terminal.ts";
import { openSample } from "../support/sample-build.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const [UP, TAB, ENTER, INTERRUPT, END] = ["\u001B[A", "\t", "\r", "\u0003", "\u0004"];

let folder: Awaited<ReturnType<typeof openSample>>;
const state = mkdtempSync(join(tmpdir(), "sql-prompt-"));
const history = join(state, "academic-data/sql-history");
beforeAll(async () => {
  folder = await openSample();
}, 600_000);
afterAll(() => rmSync(state, { recursive: true }));

describe("the prompt", () => {
  const open = (env: Record<string, string> = {}, flags = "") =>
    openTerminal(
      `${process.execPath} ${translated("pipeline/main.ts")} sql ${flags}`,
      { ...folder.env, XDG_STATE_HOME: state, ...env },
      { columns: 60, rows: 40 },
    );

  it("runs statements over several lines; errors do not end it; Ctrl-D does", async () => {
    const { type, says, ended } = open();
    await says(/sql> /);
    type(`select 40 + 1${ENTER}`);
    await says(/\.\.\.> /);
    type(`+ 1 as answer; select 'second' as statement;${ENTER}`);
    await says(/answer[^]* 42\r\n\(1 row\)[^]*second\r\n\(1 row\)[^]*sql> /);
    type(`select foo from terms;${ENTER}`);
    await says(/Binder Error: Referenced column "foo" [^\n]*\(line 1, column 8\)\r\n[^]*sql> /);
    type(`drop view terms;${ENTER}`);
    await says(/only statements that read are allowed[^]*sql> /);
    type(`select count(*) as n from terms;${ENTER}`);
    await says(/n\r\n[^]*\(1 row\)[^]*sql> /);
    type(END);
    expect(await ended).toBe(0);
  });

  it("completes the names of tables, views, columns, and keywords", async () => {
    const { type, says, ended } = open();
    await says(/sql> /);
    type(`SEL${TAB}`);
    await says(/SELECT/);
    type(` coursehis${TAB}`);
    await says(/courseHistory/);
    type(` from instr${TAB}`);
    await says(/from instructors/);
    type(` limit 1; select count(*) as days from enrollment_d${TAB}`);
    await says(/enrollment_days/);
    type(`;${ENTER}`);
    await says(/courseHistory\r\n[^]*\(1 row[^]*days\r\n[^]*\(1 row\)[^]*sql> /);
    type(`.q${TAB}`);
    await says(/\.quit/);
    type(ENTER);
    expect(await ended).toBe(0);
  });

  it("remembers whole statements in a file of the user's", async () => {
    const first = open();
    await first.says(/sql> /);
    first.type(`select 1 as one -- why${ENTER}`);
    await first.says(/\.\.\.> /);
    first.type(`from terms limit 1;${ENTER}`);
    await first.says(/\(1 row\)[^]*sql> /);
    first.type(`.quit${ENTER}`);
    await first.ended;
    expect(readFileSync(history, "utf8")).toMatch(/^select 1 as one \/\* why\*\/ from terms limit 1;\n$/m);
    expect(statSync(history).mode & 0o777).toBe(0o600);
    const second = open();
    await second.says(/sql> /);
    second.type(`select 2;${ENTER}`);
    await second.says(/\(1 row\)[^]*sql> /);
    second.type(`${UP}${UP}`);
    await second.says(/select 1 as one .* limit 1;/);
    second.type(ENTER);
    await second.says(/one\r\n[^]*\(1 row\)[^]*sql> /);
    second.type(END);
    await second.ended;
  });

  it("works without a place for the history", async () => {
    const place = join(state, "no-folder");
    writeFileSync(place, "a file");
    const { type, says, ended } = open({ XDG_STATE_HOME: place });
    await says(/sql> /);
    type(`select 1 as one;${ENTER}`);
    await says(/one\r\n[^]*\(1 row\)[^]*sql> /);
    type(UP);
    await says(/select 1 as one;/);
    type(`${INTERRUPT}${END}`);
    expect(await ended).toBe(0);
  });

  it("Ctrl-C abandons what was typed, and ends a statement that runs, but not the prompt", async () => {
    const { type, says, ended } = open();
    await says(/sql> /);
    type(`select 1 +${ENTER}`);
    await says(/\.\.\.> /);
    type(`abandoned${INTERRUPT}`);
    await says(/\^C\r\n[^]*sql> /);
    type(`select sum(a.range * b.range) from range(10000000) a, range(10000000) b;${ENTER}`);
    await says(/b;[^]*\r\n/);
    type(INTERRUPT);
    await says(/interrupted\r\n[^]*sql> /);
    type(`select 'still here' as word;${ENTER}`);
    await says(/still here[^]*\(1 row\)[^]*sql> /);
    type(END);
    expect(await ended).toBe(0);
  });

  it("knows commands of its own; tables are cut to the width of the terminal", async () => {
    const { type, says, ended } = open({}, "--format json");
    await says(/sql> /);
    type(`.help${ENTER}`);
    await says(/\.tables[^]*\.format[^]*\.quit[^]*sql> /);
    type(`.tables${ENTER}`);
    const tables = await says(/name +about\r\n([^]*)\(\d+ rows, cut to the terminal[^\n]*\r\n[^]*sql> /);
    expect(tables).toMatch(/\nenrollment_days +one row[^\n]*…\r\n/);
    for (const line of tables.split("\r\n").slice(2, -2)) expect([...line].length).toBeLessThanOrEqual(60);
    type(`select 1 as a;${ENTER}`);
    await says(/\{"a":1\}[^]*sql> /);
    type(`.format line${ENTER}select 1 as a, repeat('x', 100) as bc;${ENTER}`);
    await says(/ a = 1\r\nbc = x{100}\r\n[^]*sql> /);
    type(`.format xml${ENTER}`);
    await says(/must be one of table, csv, json, line\r\n[^]*sql> /);
    type(END);
    expect(await ended).toBe(0);
  });
});

describe("standard input", () => {
  const make = (input: string, ...args: string[]) => {
    const env = { ...process.env, ...folder.env };
    const { status, stdout, stderr } = spawnSync("make", ["-s", "sql", ...args], {
      cwd: ROOT,
      env,
      encoding: "utf8",
      input,
    });
    return { status, stdout, stderr };
  };

  it("its statements run one after another, the last one also without a semicolon", () => {
    const { status, stdout } = make("-- two\nselect 1 as a;\n\nselect 'x;y' as b", "FORMAT=csv");
    expect([status, stdout]).toEqual([0, "a\n1\nb\nx;y\n"]);
  });

  it("the first error ends them, and tells its line in the file", async () => {
    const { status, stdout, stderr } = make("select 1 as a;\nselect\n  foo\nfrom terms; select 2", "FORMAT=csv");
    expect([status, stdout]).toEqual([2, "a\n1\n"]);
    // Make has a line of its own.
    const [line, ...others] = stderr
      .trim()
      .split("\n")
      .filter((text) => !/^make(\[\d+\])?: /.test(text));
    expect(line).toMatch(/^Binder Error: Referenced column "foo" not found in FROM clause! .*\(line 3, column 3\)$/);
    expect(others).toEqual([]);
  });

  it("a statement of the command line goes before them", async () => {
    const { out } = await start("pipeline/main.ts", ["sql", "--format", "csv", "select 1 as a"], folder.env).ended;
    expect(out).toBe("a\n1\n");
    expect(make("select 2 as b", "Q=select 1 as a", "FORMAT=csv").stdout).toBe("a\n1\n");
  });

  it("nothing there is usage", () => {
    expect(make(" -- nothing\n;")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^a statement is needed/),
    });
  });
});
