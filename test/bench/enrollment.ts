/**
 * What a term of 2.6 million snapshots (13,000 sections × 200 days) costs: one refresh's recording, and the answer for one department. Run by hand:
 * `npx tsx test/bench/enrollment.ts`. Twice: a term in which a section's enrolment changes on every fifth day, and one in which all change every day.
 */
import { stat } from "node:fs/promises";
import { enrollmentHistory, period } from "../../pipeline/contract/enrollment-history.ts";
import { sections } from "../../pipeline/contract/section.ts";
import { duckdbColumns, duckdbType } from "../../pipeline/contract/table.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import { FALL, openHistoryDays, sectionOf } from "../history-days.ts";
import { openFolder, serve } from "../world.ts";
import { loadRows } from "../../pipeline/publish/rows.ts";

const SECTIONS = 13_000;
const DAYS = 200;
const DEPARTMENTS = 130;
const FIRST_DAY = "2022-05-01";
const NEXT_DAY = "2022-11-17";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const quantile = (sorted: readonly number[], q: number) => sorted[Math.floor((sorted.length - 1) * q)] ?? 0;

/** A section's own number `s` decides everything that is drawn. */
const code = "lpad((10000 + s * 3)::VARCHAR, 5, '0')";
const department = `'D' || lpad((s % ${DEPARTMENTS})::VARCHAR, 3, '0')`;
const value = (name: string, version: string) =>
  ({
    maxCapacity: "(20 + s % 300)::VARCHAR",
    totalEnrolled: `(hash(s, ${version}) % 300)::VARCHAR`,
    waitlist: `CASE WHEN s % 4 = 0 THEN 'n/a' ELSE (hash(s, ${version}, 1) % 15)::VARCHAR END`,
    waitlistCap: "(s % 30)::VARCHAR",
    requested: `(hash(s, ${version}, 2) % 900)::VARCHAR`,
    newOnlyReserved: "'0'",
    status: `CASE WHEN hash(s, ${version}, 3) % 4 = 0 THEN 'FULL' ELSE 'OPEN' END`,
  })[name] ?? "";

async function measure(name: string, changedDays: string): Promise<void> {
  const folder = await openFolder();
  const days = await openHistoryDays(folder);
  const { connection } = days.database;
  const partition = { year: FALL.year, quarter: FALL.quarter };
  try {
    const fields = Object.keys(period.shape)
      .slice(2, -1)
      .map((field) => `'${field}': ${value(field, "version")}`);
    await connection.run(
      "CREATE TEMP TABLE term (s BIGINT, periods " + duckdbType(enrollmentHistory.row.shape.periods) + ")",
    );
    for (let part = 0; part < 13; part++) {
      await connection.run(`INSERT INTO term SELECT s, list_sort(list(p)) FROM (
          SELECT s, {'first': DATE '${FIRST_DAY}' + min(d)::INTEGER, 'last': DATE '${FIRST_DAY}' + max(d)::INTEGER, ${fields.join(", ")}, 'imported': false}::${duckdbType(period)} AS p
          FROM (SELECT s, d, sum(CASE WHEN ${changedDays} THEN 1 ELSE 0 END) OVER (PARTITION BY s ORDER BY d) AS version
            FROM range(${part * 1000}, ${part * 1000 + 1000}) a(s), range(${DAYS}) b(d))
          GROUP BY s, version) GROUP BY s`);
    }
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
    await days.runStaged("2022-11-16", [], async (staging) => {
      const select = `SELECT '2022' AS year, 'Fall' AS quarter, ${code} AS sectionCode, ${department} AS department, '46' AS courseNumber,
        46 AS courseNumeric, 'Lec' AS sectionType, 'A' AS sectionNum, '4' AS units, ['AMBERLEY, R.'] AS instructors,
        [{'days': 'MWF', 'time': '8:00- 8:50', 'bldg': ['EH 1200']}] AS meetings, 'Mon, Dec 5, 8:00-10:00am' AS finalExam, periods FROM term`;
      staging.put(await writePartition(connection, staging, { table: enrollmentHistory, partition, select }));
    });
    await connection.run("DROP TABLE term");
    const record = (day: string) =>
      days.runStaged(day, [FALL], async (staging) =>
        staging.put(await writePartition(connection, staging, { table: sections, partition, select: today })),
      );
    const [first, again] = [await record(NEXT_DAY), await record(NEXT_DAY)];
    const file = (await days.paths()).find((path) => path.includes("enrollment_history")) ?? "";
    say(
      `${name}: recording a new day ${Math.round(first.ms)} ms, the same day again ${Math.round(again.ms)} ms; ${((await stat(file)).size / 1e6).toFixed(1)} MB`,
    );
    const server = await serve(folder.env);
    const times: number[] = [];
    let bytes = 0;
    for (let i = 0; i < DEPARTMENTS; i++) {
      const began = performance.now();
      const response = await server.get(
        `/enrollmentHistory?year=2022&quarter=Fall&department=D${String(i).padStart(3, "0")}`,
        {
          headers: { "Accept-Encoding": "identity" },
        },
      );
      bytes += (await response.arrayBuffer()).byteLength;
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    say(
      `${name}: one department of 100 sections (${(bytes / DEPARTMENTS / 1e6).toFixed(2)} MB) p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
    );
    const began = performance.now();
    const whole = await server.get("/enrollmentHistory", { headers: { "Accept-Encoding": "identity" } });
    const size = (await whole.arrayBuffer()).byteLength;
    say(
      `${name}: everything, ${(size / 1e6).toFixed(0)} MB in ${Math.round(performance.now() - began)} ms; ${Math.round(process.memoryUsage.rss() / 1e6)} MB resident`,
    );
    await server.close();
  } finally {
    days.close();
    await folder.remove();
  }
}

await measure("every fifth day", "hash(s, d) % 5 = 0");
await measure("every day", "true");
