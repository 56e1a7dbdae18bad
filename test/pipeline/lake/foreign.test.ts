/**
 * Other programs write to a table between two exports: the next one goes on after them, and publishes its rows again.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TABLES } from "../../../pipeline/contract/tables.ts";
import { deltaSchema } from "../../../pipeline/lake/delta/schema.ts";
import { checkpointFile } from "../../../pipeline/lake/delta/checkpoint.ts";
import type { Action } from "../../../pipeline/lake/delta/actions.ts";
import { draws, isWhole } from "../../support/extent.ts";
import { type DeltaFile, newestVersion, readVersion } from "./delta-reader.ts";
import { exportLake, listedSnapshots, type Marks, openLakeWorld } from "./lake-world.ts";

const { connection, publishMarks, readMarks, scratch } = await openLakeWorld();
const START = Date.parse("2024-10-01T12:00:00Z");
const HOUR = 3_600_000;
const RETAIN = { hours: 24, days: 3, months: 2 };
let places = 0;

function freshPlace() {
  const place = join(scratch, `foreign-${places++}`);
  return { artifacts: join(place, "artifacts"), lake: join(place, "lake") };
}

const logFolder = (table: string): string => join(table, "_delta_log");
const logFile = (table: string, version: number, end: string): string =>
  join(logFolder(table), `${String(version).padStart(20, "0")}${end}`);

function addCommit(table: string, actions: readonly object[]): void {
  const lines = actions.map((action) => `${JSON.stringify(action)}\n`);
  writeFileSync(logFile(table, newestVersion(table) + 1, ".json"), lines.join(""), { flag: "wx" });
}

const info = (operation: string) => ({
  commitInfo: { timestamp: START, operation, operationParameters: {}, engineInfo: "other-writer 1.0" },
});
/** A file as delta-rs writes it: without tags, and in another folder. */
function copyOf(table: string, { path, size, stats }: DeltaFile) {
  const copy = `year=2022/part-${places++}-c000.snappy.parquet`;
  mkdirSync(join(table, "year=2022"), { recursive: true });
  copyFileSync(join(table, path), join(table, copy));
  return {
    add: { path: copy, partitionValues: { year: "2022" }, size, modificationTime: START, dataChange: true, stats },
  };
}
const removeOf = ({ path }: Pick<DeltaFile, "path">) => ({
  remove: { path, deletionTimestamp: START, dataChange: false },
});
const metaData = (more: object) => ({
  metaData: {
    ...{
      id: "5b0e7c8e-6b43-4a5c-8f3a-6d3c9ad4ffb1",
      format: { provider: "parquet", options: {} },
      partitionColumns: [],
    },
    ...{ schemaString: JSON.stringify(deltaSchema(TABLES.grades)), configuration: {}, ...more },
  },
});
const protocol = (minReaderVersion: number, minWriterVersion: number, features?: readonly string[]) => ({
  protocol: { minReaderVersion, minWriterVersion, readerFeatures: features, writerFeatures: features },
});

/** The operations of other programs on a table of these files. */
const OPERATIONS: Readonly<Record<string, (table: string, files: readonly DeltaFile[]) => Promise<void> | void>> = {
  append: (table, files) => addCommit(table, [info("WRITE"), ...files.slice(0, 1).map((file) => copyOf(table, file))]),
  optimize: (table, files) =>
    addCommit(table, [info("OPTIMIZE"), ...files.map(removeOf), ...files.map((file) => copyOf(table, file))]),
  delete: (table, files) => addCommit(table, [info("DELETE"), ...files.map(removeOf)]),
  withoutInfo: (table, files) => addCommit(table, files.slice(0, 1).map(removeOf)),
  restore: (table, files) =>
    addCommit(
      table,
      files.map(({ path, size }) => ({ add: { path, size, partitionValues: { year: null }, tags: null } })),
    ),
  configure: (table) =>
    addCommit(table, [info("SET TBLPROPERTIES"), metaData({ configuration: { "delta.appendOnly": "true" } })]),
  newSchema: (table) => addCommit(table, [metaData({ schemaString: '{"type":"struct","fields":[]}' })]),
  features: (table) => addCommit(table, [info("ADD FEATURE"), protocol(3, 7, ["deletionVectors", "timestampNtz"])]),
  constraint: (table) => addCommit(table, [protocol(1, 3), { txn: { appId: "x", version: 1 } }]),
  domain: (table) => addCommit(table, [{ domainMetadata: { domain: "x", configuration: "{}", removed: false } }]),
  vacuum(table, files) {
    addCommit(table, [info("VACUUM START")]);
    const listed = new Set(files.map(({ path }) => path));
    for (const path of readdirSync(table, { recursive: true }).map(String))
      if (path.endsWith(".parquet") && !path.includes("_delta_log") && !listed.has(path)) rmSync(join(table, path));
    addCommit(table, [info("VACUUM END")]);
  },
  async checkpoint(table, files) {
    const add = files.map(({ path, size, partitionValues, stats }) => ({
      add: { path, size, partitionValues, stats, modificationTime: START, dataChange: false },
    }));
    const actions = [protocol(1, 2), metaData({ createdTime: START }), ...add] as unknown as Action[];
    const content = readFileSync(await checkpointFile(connection, actions, scratch), "latin1");
    const version = newestVersion(table);
    // Tools tell by this name who wrote a Parquet file.
    writeFileSync(
      logFile(table, version, ".checkpoint.parquet"),
      content.replace("DuckDB version", "Others version"),
      "latin1",
    );
    writeFileSync(logFile(table, version, ".crc"), "{}");
    writeFileSync(join(logFolder(table), "_last_checkpoint"), JSON.stringify({ version, size: actions.length }));
  },
};

const marks: fc.Arbitrary<Marks> = fc.record({
  years: fc.record(
    { 2022: fc.integer({ min: 1, max: 2 }), 2023: fc.integer({ min: 1, max: 2 }) },
    { requiredKeys: [] },
  ),
  terms: fc.integer({ min: 1, max: 2 }),
});
const step = fc.record({
  // With the same marks, the snapshot stays.
  marks: fc.option(marks),
  operations: fc.array(fc.constantFrom(...Object.keys(OPERATIONS)), { maxLength: 4 }),
});

test("any commits of other programs: the newest version has the published rows again, and every retained one stays readable", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(marks, fc.array(step, { minLength: 2, maxLength: 5 }), async (first, steps) => {
      const { artifacts, lake } = freshPlace();
      const grades = join(lake, "grades");
      const published = new Map<string, Marks>();
      let latest = first;
      for (const [hour, { marks, operations }] of [{ marks: first, operations: [] as string[] }, ...steps].entries()) {
        const now = new Date(START + hour * HOUR);
        latest = marks ?? latest;
        const id = await publishMarks(artifacts, latest, now);
        published.set(id, latest);
        for (const name of hour === 0 ? [] : operations) {
          const files = await readVersion(connection, grades, newestVersion(grades)).catch(() => undefined);
          if (!files || (files.length === 0 && ["append", "restore", "withoutInfo"].includes(name))) continue;
          await OPERATIONS[name]?.(grades, files);
          seen.add(name);
        }
        if (hour > 0) writeFileSync(join(lake, "notes.txt"), "of the operator");
        const foreign = hour === 0 ? [] : foreignCommits(grades);
        const { restored, snapshot } = await exportLake(artifacts, lake, {
          now,
          retain: RETAIN,
          checkpointInterval: 3,
        });
        expect(restored).toHaveLength(foreign.length > 0 ? 1 : 0);
        if (foreign.length > 0)
          expect(restored[0]).toMatch(
            new RegExp(`^versions? ${foreign[0]}( to ${foreign.at(-1)})? of grades .* another program's`),
          );
        expect(snapshot.versions["grades"]).toBe(newestVersion(grades));
        for (const snapshot of listedSnapshots(lake))
          expect(await readMarks(lake, snapshot)).toEqual(published.get(snapshot.id));
        const newest = await readVersion(connection, grades, newestVersion(grades));
        expect(newest.filter(({ path }) => path.includes("/"))).toEqual([]);
        expectPublishedHead(grades);
        expect(new Set(listedSnapshots(lake).map(({ generation }) => generation)).size).toBe(
          listedSnapshots(lake).length,
        );
        if (hour > 0) expect(readFileSync(join(lake, "notes.txt"), "utf8")).toBe("of the operator");
        const left = readdirSync(grades, { recursive: true }).map(String);
        expect(left.filter((path) => path.startsWith("year=") && path.endsWith(".parquet"))).toEqual([]);
        const { changed } = await exportLake(artifacts, lake, { now, retain: RETAIN, checkpointInterval: 3 });
        expect(changed).toEqual([]);
      }
    }),
    { numRuns: draws(40, 2) },
  );
  if (isWhole) expect([...seen].sort()).toEqual(Object.keys(OPERATIONS).sort());
}, 600_000);

const actionsOf = (table: string, version: number) =>
  readFileSync(logFile(table, version, ".json"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { commitInfo?: { engineInfo?: string }; metaData?: object; protocol?: object });

/** The versions after the newest one of this program. */
function foreignCommits(table: string): number[] {
  const versions: number[] = [];
  for (let version = newestVersion(table); version >= 0; version--) {
    if (actionsOf(table, version).some(({ commitInfo }) => commitInfo?.engineInfo === "academic-data-rest-service"))
      break;
    versions.unshift(version);
  }
  return versions;
}

/** The last protocol and schema of the log are the contract's. */
function expectPublishedHead(table: string): void {
  const versions = readdirSync(logFolder(table)).filter((name) => /^\d{20}\.json$/.test(name));
  const actions = versions.sort().flatMap((name) => actionsOf(table, Number.parseInt(name, 10)));
  const last = actions.findLast(({ protocol }) => protocol)?.protocol;
  if (last) expect(last).toEqual({ minReaderVersion: 1, minWriterVersion: 2 });
  const schema = actions.findLast(({ metaData }) => metaData)?.metaData;
  if (schema)
    expect(schema).toMatchObject({
      schemaString: JSON.stringify(deltaSchema(TABLES.grades)),
      partitionColumns: TABLES.grades.partitionedBy,
      configuration: {},
    });
}

test.each([
  ["deletion vectors", [{ add: { path: "x", size: 1, partitionValues: {}, deletionVector: { storageType: "u" } } }]],
  ["the feature catalogManaged", [protocol(3, 7, ["catalogManaged"])]],
  ["reader version 4", [protocol(4, 8)]],
])("%s cannot be undone: the export is refused by name", async (what, actions) => {
  const { artifacts, lake } = freshPlace();
  await publishMarks(artifacts, { years: { 2022: 1 }, terms: 1 }, new Date(START));
  await exportLake(artifacts, lake, { now: new Date(START) });
  addCommit(join(lake, "grades"), [info("DELETE"), ...actions]);
  await expect(exportLake(artifacts, lake, { now: new Date(START) })).rejects.toThrow(
    `version 1 of grades is another program's (other-writer 1.0: DELETE); ${what} cannot be undone by a later version: publish to an empty folder or bucket`,
  );
});
