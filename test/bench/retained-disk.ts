/**
 * What the retained snapshots take on the disk when three terms change every hour, and what it costs to record that. Run by hand:
 * `npx tsx test/bench/retained-disk.ts [days] [sections of a term] [hours between two publishes] [days between two changes of a section]`.
 * The last two days, of which every snapshot is retained, are published hourly. A section changes its numbers and its status at once.
 */
import { sections } from "../../pipeline/contract/rows/section.ts";
import { duckdbColumns } from "../../pipeline/contract/table.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { campusToday } from "../../pipeline/contract/campus-time.ts";
import type { RunContext } from "../../pipeline/products/context.ts";
import { enrollmentStep } from "../../pipeline/products/enrollment/enrollment.ts";
import { nodeDisk } from "../../pipeline/publish/disk.ts";
import { listGenerations } from "../../pipeline/generations/generation.ts";
import { readManifest } from "../../pipeline/generations/manifest.ts";
import { layoutOf } from "../../pipeline/generations/layout.ts";
import { DEFAULT_RETENTION, parseRetention, type Retention } from "../../pipeline/publish/retention/retained.ts";
import { collect } from "../../pipeline/publish/retention/retention.ts";
import { loadRows } from "../../pipeline/publish/rows.ts";
import { createTally } from "../../pipeline/contract/documents/tally.ts";
import { openRecordedSchedule } from "../support/published/recorded-schedule.ts";
import { sectionRow } from "../support/worlds/section-rows.ts";
import { openFolder } from "../support/whole-run.ts";

const [days = 3, size = 10_000, hours = 1, pause = 1] = process.argv.slice(2).map(Number);
const TERMS: readonly Term[] = [
  { year: "2026", quarter: "Fall" },
  { year: "2027", quarter: "Winter" },
  { year: "2027", quarter: "Spring" },
];
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 8, 1, 7);
const retain = parseRetention(DEFAULT_RETENTION) as Retention;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** A section's own number `s` and the day on which its numbers changed last decide everything. */
const DRAWN: Readonly<Record<string, string>> = {
  year: "$1",
  quarter: "$2",
  sectionCode: "lpad((10000 + s * 3)::VARCHAR, 5, '0')",
  deptCode: "'DEPT ' || s // 80",
  courseNumber: "(s % 80)::VARCHAR",
  courseNumeric: "(s % 80)::INTEGER",
  courseTitle: "upper(left(md5((s // 4)::VARCHAR), 20))",
  instructors: "[upper(left(md5((s % 900)::VARCHAR), 8)) || ', A.']",
  maxCapacity: "(20 + s % 300)::VARCHAR",
  numCurrentlyEnrolled: "{'totalEnrolled': (hash(s, version) % 300)::VARCHAR, 'sectionEnrolled': ''}",
  numRequested: "(hash(s, version, 2) % 900)::VARCHAR",
  status: "CASE WHEN hash(s, version, 3) % 4 = 0 THEN 'FULL' ELSE 'OPEN' END",
};

const folder = await openFolder();
await nodeDisk.mkdir(folder.artifacts);
const schedule = await openRecordedSchedule(folder.artifacts);
try {
  const example = await loadRows(schedule.database.connection, sections, [sectionRow()], "example");
  const columns = duckdbColumns(sections.row.shape).map(({ name }) =>
    DRAWN[name] ? `${DRAWN[name]} AS ${name}` : `e.${name}`,
  );
  const selectAt = (hour: number) =>
    `SELECT ${columns.join(", ")} FROM ${example} e, (SELECT s, (${hour} + hash(s) % ${pause * 24})::INTEGER // ${pause * 24} AS version FROM range(${size}) r(s)) r`;
  let longest = 0;
  const isPublished = (hour: number) => hour % hours === 0 || hour >= (days - 2) * 24;
  const published = Array.from({ length: days * 24 }, (_, hour) => hour).filter(isPublished);
  for (const [i, hour] of published.entries()) {
    const at = new Date(START + hour * HOUR_MS);
    const staged = TERMS.map((term) => ({ term, select: selectAt(hour), values: [term.year, term.quarter] }));
    const { recordedMs } = await schedule.publishSelected(at, staged, async (staging) => {
      const crawled = TERMS.map((term) => ({ term, startedAt: at.toISOString() }));
      const config = { dataDir: folder.data };
      const { database } = schedule;
      const context = { config, crawled, today: campusToday(at), staging, database } as unknown as RunContext;
      await enrollmentStep.run(context, createTally("enrollment"));
    });
    longest = Math.max(longest, recordedMs);
    const { generations, keptBytes } = await collect(folder.artifacts, { now: at, retain });
    if (i % Math.ceil(published.length / 10) === 0 || i === published.length - 1)
      say(
        `${at.toISOString()}: ${generations} generations, ${megabytes(keptBytes)}; changes recorded in ${Math.round(recordedMs)} ms`,
      );
  }
  const recorded = await schedule.changes();
  say(`${recorded.length} changes; longest recording of an hour ${Math.round(longest)} ms`);
  const { generations } = layoutOf(folder.artifacts);
  const [bytes, files] = [new Map<string, number>(), new Set<string>()];
  for (const { name } of await listGenerations(folder.artifacts))
    for (const file of (await readManifest(`${generations}/${name}`)).files) {
      if (files.has(file.path)) continue;
      files.add(file.path);
      bytes.set(file.table, (bytes.get(file.table) ?? 0) + file.bytes);
    }
  for (const [table, total] of bytes) say(`  ${table}: ${megabytes(total)}`);
} finally {
  schedule.close();
  await folder.remove();
}
