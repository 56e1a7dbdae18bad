/**
 * A schedule that is published again and again without an upstream: each publish stages sections, records changes by
 * the real step, and publishes.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changes } from "../../../pipeline/contract/rows/change.ts";
import { type Section, sections } from "../../../pipeline/contract/rows/section.ts";
import { tableRows } from "../../../pipeline/contract/sql-text.ts";
import { type Term, termName } from "../../../pipeline/contract/vocabulary.ts";
import type { RunContext } from "../../../pipeline/products/context.ts";
import { recordChanges } from "../../../pipeline/products/record-changes.ts";
import { recordSources } from "../../../pipeline/products/record-sources.ts";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import type { Publication } from "../../../pipeline/store/published.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { createStaging, type Staging } from "../../../pipeline/publish/staging.ts";

export const SOURCE = { schedule: "a test" };

export interface RecordedChange {
  readonly at: string;
  readonly since: string;
  readonly snapshot: string;
  readonly year: string;
  readonly quarter: string;
  readonly sectionCode: string;
  readonly department: string;
  readonly courseNumber: string;
  readonly instructors: readonly string[];
  readonly kind: string;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface RecordedSchedule {
  readonly database: Database;
  /** Publishes terms as they were crawled at that time. */
  publish(at: Date, terms: readonly { term: Term; rows: readonly Section[] }[]): Promise<Publication>;
  /** The same with a statement for each term's sections, whose parameters are `values`. */
  publishSelected(
    at: Date,
    terms: readonly { term: Term; select: string; values?: readonly string[] }[],
    alsoStage?: (staging: Staging) => Promise<void>,
  ): Promise<Publication & { recordedMs: number }>;
  changes(): Promise<RecordedChange[]>;
  close(): void;
}

/** @param source where the schedule comes from */
export async function openRecordedSchedule(artifacts: string, source = SOURCE): Promise<RecordedSchedule> {
  const tempFolder = join(tmpdir(), `recorded-schedule-${process.pid}`);
  const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder });
  const { connection } = database;
  const lastChecked: Record<string, string> = {};

  const publishSelected: RecordedSchedule["publishSelected"] = async (at, terms, alsoStage) => {
    const staging = createStaging(artifacts, await readBase(artifacts));
    try {
      for (const { term, select, values = [] } of terms) {
        const partition = { year: term.year, quarter: term.quarter };
        const request = { table: sections, partition, select, values, allowEmpty: true };
        staging.put(await writePartition(connection, staging, request));
      }
      await alsoStage?.(staging);
      const startedAt = at.toISOString();
      const context = {
        crawled: terms.map(({ term }) => ({ term, startedAt })),
        received: [],
        freshness: { products: {}, terms: { ...lastChecked }, nextRefresh: null },
        isBehind: false,
        sourceName: () => source.schedule,
        staging,
        database,
      } as unknown as RunContext;
      const id = staging.nextId();
      const began = performance.now();
      if (id !== undefined) {
        await recordChanges(context, id);
        await recordSources(context);
      }
      const recordedMs = performance.now() - began;
      const published = await staging.publish({ source, now: at });
      for (const { term } of terms) lastChecked[termName(term)] = startedAt;
      return { ...published, recordedMs };
    } finally {
      await staging.discard();
    }
  };

  return {
    database,
    publishSelected,
    async publish(at, terms) {
      const staged = [];
      for (const { term, rows } of terms) {
        const name = await loadRows(connection, sections, rows, `rows_${term.year}_${term.quarter}`);
        staged.push({ term, select: `FROM ${name}` });
      }
      return publishSelected(at, staged);
    },
    async changes() {
      const staging = createStaging(artifacts, await readBase(artifacts));
      const reader = await connection.runAndReadAll(
        `SELECT to_json(r)::VARCHAR FROM (
           SELECT * EXCLUDE (month) REPLACE (epoch_ms("at") AS "at", epoch_ms(since) AS since) FROM ${tableRows(changes, staging.paths("changes"))}
           ORDER BY "at", year, quarter, sectionCode, field) r`,
      );
      return reader.getRowsJson().map(([text]) => {
        const row = JSON.parse(String(text)) as RecordedChange & { at: number; since: number };
        return { ...row, at: new Date(row.at).toISOString(), since: new Date(row.since).toISOString() };
      });
    },
    close: () => database.close(),
  };
}

/** The sections after these changes, by code: what a reader of the changes makes of the version that it knows. */
export function applyChanges(
  before: ReadonlyMap<string, Section>,
  recorded: readonly RecordedChange[],
): Map<string, Section> {
  const rows = new Map(before);
  for (const { sectionCode, field, after } of recorded) {
    const old = rows.get(sectionCode);
    if (field === "section") {
      if (after === null) rows.delete(sectionCode);
      else rows.set(sectionCode, JSON.parse(after) as Section);
    } else if (old) rows.set(sectionCode, changed(old, field, after ?? ""));
    else throw new Error(`${sectionCode} is changed and not there`);
  }
  return rows;
}

function changed(row: Section, field: string, text: string): Section {
  const [column = "", part] = field.split(".");
  const old = row[column as keyof Section];
  if (part !== undefined) return { ...row, [column]: { ...(old as object), [part]: text } };
  return { ...row, [column]: typeof old === "string" ? text : (JSON.parse(text) as unknown) };
}
