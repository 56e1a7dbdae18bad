/**
 * What a term of 2.6 million snapshots (13,000 sections × 200 days) costs: one refresh's recording, and the answer for one department. Run by hand:
 * `npx tsx test/bench/enrollment.ts`. A term in which a section's enrolment changes on every fifth day, and one in which all change every day.
 */
import { stat } from "node:fs/promises";
import { get } from "node:http";
import {
  enrollmentHistory,
  enrollmentPeriods,
  SNAPSHOT_VALUES,
  type SnapshotValue,
} from "../../pipeline/contract/rows/enrollment-history.ts";
import { sections } from "../../pipeline/contract/rows/section.ts";
import { duckdbColumns } from "../../pipeline/contract/table.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import { FALL, openHistoryDays, sectionOf } from "../support/published/history-days.ts";
import { openFolder } from "../support/whole-run.ts";
import { memoryOf, start, stop } from "./process.ts";
import { loadRows } from "../../pipeline/publish/rows.ts";

const SECTIONS = 13_000;
const DAYS = 200;
const DEPARTMENTS = 130;
/** The last day but one of a month, so that recording writes a month as long as can be. */
const FIRST_DAY = "2022-04-13";
const LAST_DAY = "2022-10-29";
const NEXT_DAY = "2022-10-30";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const quantile = (sorted: readonly number[], q: number) => sorted[Math.floor((sorted.length - 1) * q)] ?? 0;

/** A section's own number `s` decides everything that is drawn. */
const code = "lpad((10000 + s * 3)::VARCHAR, 5, '0')";
/** A department's codes are neighbours, as the university gives them; or scattered, the worst that can be. */
const departmentOf = (number: string) => `'D' || lpad((${number})::VARCHAR, 3, '0')`;
const NEIGHBOURS = departmentOf(`s // ${SECTIONS / DEPARTMENTS}`);
const SCATTERED = departmentOf(`s % ${DEPARTMENTS}`);
const value = (name: SnapshotValue, version: string) =>
  ({
    maxCapacity: "(20 + s % 300)::VARCHAR",
    totalEnrolled: `(hash(s, ${version}) % 300)::VARCHAR`,
    waitlist: `CASE WHEN s % 4 = 0 THEN 'n/a' ELSE (hash(s, ${version}, 1) % 15)::VARCHAR END`,
    waitlistCap: "(s % 30)::VARCHAR",
    requested: `(hash(s, ${version}, 2) % 900)::VARCHAR`,
    newOnlyReserved: "'0'",
    status: `CASE WHEN hash(s, ${version}, 3) % 4 = 0 THEN 'FULL' ELSE 'OPEN' END`,
  })[name];

/** A month of the term: the sections, days that changed, and the periods between. */
const monthOf = (from: number, to: number, changed: string) => `
  SELECT '2022' AS year, 'Fall' AS quarter, strftime(DATE '${FIRST_DAY}' + min(d)::INTEGER, '%Y-%m') AS month, ${code} AS sectionCode,
    DATE '${FIRST_DAY}' + min(d)::INTEGER AS first, DATE '${FIRST_DAY}' + max(d)::INTEGER AS last,
    ${SNAPSHOT_VALUES.map((name) => `${value(name, "version")} AS ${name}`).join(", ")}, false AS imported
  FROM (SELECT s, d, sum(CASE WHEN ${changed} THEN 1 ELSE 0 END) OVER (PARTITION BY s ORDER BY d) AS version
    FROM range(${SECTIONS}) a(s), range(${from}, ${to}) b(d))
  GROUP BY s, version`;

async function measure(name: string, changed: string, department = NEIGHBOURS): Promise<void> {
  const folder = await openFolder();
  const days = await openHistoryDays(folder);
  const { connection } = days.database;
  const partition = { year: FALL.year, quarter: FALL.quarter };
  try {
    const example = await loadRows(connection, sections, [sectionOf()]);
    const others = duckdbColumns(sections.row.shape).map(({ name: column }) => column);
    const drawn: Record<string, string> = {
      sectionCode: code,
      deptCode: department,
      maxCapacity: value("maxCapacity", "0"),
      numCurrentlyEnrolled: `{'totalEnrolled': ${value("totalEnrolled", String(DAYS))}, 'sectionEnrolled': ''}`,
    };
    const columns = others.map((column) => (drawn[column] ? `${drawn[column]} AS ${column}` : `e.${column}`));
    const today = `SELECT ${columns.join(", ")} FROM ${example} e, range(${SECTIONS}) r(s)`;
    await days.runStaged(LAST_DAY, [], async (staging) => {
      const select = `SELECT '2022' AS year, 'Fall' AS quarter, ${code} AS sectionCode, ${department} AS department, '46' AS courseNumber,
        46 AS courseNumeric, 'Lec' AS sectionType, 'A' AS sectionNum, '4' AS units, ['AMBERLEY, R.'] AS instructors,
        [{'days': 'MWF', 'time': '8:00- 8:50', 'bldg': ['EH 1200']}] AS meetings, 'Mon, Dec 5, 8:00-10:00am' AS finalExam,
        false AS imported FROM range(${SECTIONS}) r(s)`;
      staging.put(await writePartition(connection, staging, { table: enrollmentHistory, partition, select }));
      const dayOf = (number: number) => new Date(Date.parse(FIRST_DAY) + number * 86_400_000).toISOString();
      for (let from = 0; from < DAYS;) {
        const month = dayOf(from).slice(0, 7);
        let to = from;
        while (to < DAYS && dayOf(to).startsWith(month)) to++;
        const request = {
          table: enrollmentPeriods,
          partition: { ...partition, month },
          select: monthOf(from, to, changed),
        };
        staging.put(await writePartition(connection, staging, request));
        from = to;
      }
    });
    const record = (day: string) =>
      days.runStaged(day, [FALL], async (staging) =>
        staging.put(await writePartition(connection, staging, { table: sections, partition, select: today })),
      );
    const [first, again] = [await record(NEXT_DAY), await record(NEXT_DAY)];
    const sizes = await Promise.all((await days.paths()).map(async (path) => (await stat(path)).size));
    say(
      `${name}: recording a new day ${Math.round(first.ms)} ms, the same day again ${Math.round(again.ms)} ms; ${(sizes.reduce((a, b) => a + b) / 1e6).toFixed(1)} MB`,
    );
    await measureServer(name, folder.env);
  } finally {
    days.close();
    await folder.remove();
  }
}

/** A server process answers for every department once, then for everything. */
async function measureServer(name: string, env: Record<string, string>): Promise<void> {
  const { base, child } = await start(
    "../../server/main.ts",
    [],
    { ...env, PORT: "0", HOST: "127.0.0.1" },
    /listening url=(\S+)/,
  );
  const ask = (query: string): Promise<{ ms: number; bytes: number }> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      let bytes = 0;
      get(`${base}/v1/rest/enrollmentHistory${query}`, (response) => {
        response.on("data", (part: Buffer) => (bytes += part.length));
        response.on("end", () => resolve({ ms: performance.now() - began, bytes }));
      }).on("error", reject);
    });
  try {
    const answers = [];
    for (let i = 0; i < DEPARTMENTS; i++)
      answers.push(await ask(`?year=2022&quarter=Fall&department=D${String(i).padStart(3, "0")}`));
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
    const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0) / DEPARTMENTS;
    const departments = await memoryOf(child);
    const whole = await ask("");
    const everything = await memoryOf(child);
    say(
      `${name}: one department of 100 sections (${(bytes / 1e6).toFixed(2)} MB) p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms; ${departments.most} MB resident at most`,
    );
    say(
      `${name}: everything, ${(whole.bytes / 1e6).toFixed(0)} MB in ${Math.round(whole.ms)} ms; ${everything.most} MB resident at most`,
    );
  } finally {
    await stop(child);
  }
}

await measure("every fifth day", "hash(s, d) % 5 = 0");
await measure("every day", "true");
await measure("every day, codes scattered", "true", SCATTERED);
