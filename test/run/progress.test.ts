/** Progress of a real run: on a terminal a bar below the log, elsewhere nothing but log lines. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { start, translated } from "../support/program.ts";
import { runInTerminal, showOnScreen } from "../support/terminal.ts";
import { openSmallCampus } from "../support/upstream/small-campus.ts";
import { openFolder } from "../support/whole-run.ts";

const BAR = /[█░]/;
const LOG = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z (?:debug|info |warn |error) /;
const SIZE = { columns: 100, rows: 8 };

let campus: Awaited<ReturnType<typeof openSmallCampus>>;
beforeAll(async () => {
  campus = await openSmallCampus(["2018 Fall", "2019 Winter", "2019 Spring", "2019 Fall"]);
});
afterAll(() => campus?.close());

it("on a terminal: no line ever mixes the bar and the log, and nothing of the bar stays", async () => {
  const folder = await openFolder();
  const command = `${process.execPath} ${translated("pipeline/main.ts")} build`;
  const { code, written } = await runInTerminal(command, { ...campus.urls(), ...folder.env }, SIZE);
  const seen = new Set<string>();
  const lines = showOnScreen(written, SIZE, (line) => seen.add(line));
  await folder.remove();

  expect(code).toBe(0);
  const bars = [...seen].filter((line) => BAR.test(line));
  for (const term of ["2018 Fall", "2019 Winter", "2019 Spring", "2019 Fall"])
    expect(bars.some((line) => new RegExp(`^schedule ${term} +█+ \\d+/\\d+ \\d+s$`).test(line))).toBe(true);
  expect(bars.filter((line) => LOG.test(line) || /info|warn|product/.test(line))).toEqual([]);
  expect(lines.filter((line) => BAR.test(line))).toEqual([]);
  const words = lines.filter((line) => LOG.test(line)).map((line) => line.replace(LOG, ""));
  expect(words.filter((line) => line.startsWith("crawled "))).toHaveLength(4);
  for (const word of ["building product=schedule", "building product=grades", "published a snapshot"])
    expect(words.filter((line) => line.startsWith(word))).toHaveLength(1);
});

it("elsewhere, as from cron: log lines and the report, without a byte of a bar", async () => {
  const folder = await openFolder();
  const { code, out, err } = await start("pipeline/main.ts", ["build"], { ...campus.urls(), ...folder.env }).ended;
  await folder.remove();
  expect(code).toBe(0);
  expect([..."█░\r\u{1b}"].filter((sign) => (out + err).includes(sign))).toEqual([]);
  expect(
    err
      .trimEnd()
      .split("\n")
      .filter((line) => !LOG.test(line)),
  ).toEqual([]);
});
