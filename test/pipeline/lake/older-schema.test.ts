/**
 * A lake that an older contract version exported, with averages as decimals, goes on with doubles: each version has the
 * schema that its files have.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import type { Table } from "../../../pipeline/contract/table.ts";
import { TABLE_NAMES, TABLES } from "../../../pipeline/contract/tables.ts";
import { deltaSchema } from "../../../pipeline/lake/delta/schema.ts";
import type { Generation } from "../../../pipeline/store/published.ts";
import { manifestText, pointerText, snapshotKey } from "../../../pipeline/store/pointer.ts";
import { openReader } from "../../support/published/recorded-history.ts";
import { openFolder } from "../../support/whole-run.ts";
import { migrate, NOW, publishOlder, stepOf } from "../migrations/older-base.ts";
import { readVersion } from "./delta-reader.ts";
import { exportLake, listedSnapshots } from "./lake-world.ts";

const place = await openFolder();
const reader = await openReader(join(place.data, "spill"));
afterAll(async () => {
  reader.close();
  await place.remove();
});

/** Exports as that version did: one version of each of its tables, over the same files. */
function exportAsBefore(lake: string, { folder, manifest }: Generation): void {
  const { createdAt, files, generation, id } = manifest;
  const names = TABLE_NAMES.filter((name) => name !== "former_names");
  for (const name of names) {
    const table: Table = TABLES[name];
    const schemaString = JSON.stringify(deltaSchema(table)).replace(
      /("name":"averageGPA","type":)"double"/,
      '$1"decimal(4,2)"',
    );
    const own = files.filter((file) => file.table === name);
    const actions = [
      {
        commitInfo: { timestamp: Date.parse(createdAt), operation: "WRITE", engineInfo: "academic-data-rest-service" },
      },
      { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
      {
        metaData: {
          ...{ id: `table-${name}`, name, description: table.about, format: { provider: "parquet", options: {} } },
          ...{
            schemaString,
            partitionColumns: table.partitionedBy,
            configuration: {},
            createdTime: Date.parse(createdAt),
          },
        },
      },
      ...own.map(({ bytes, partition, path, rows }: PublishedFile) => ({
        add: {
          ...{ path: path.slice(name.length + 1), partitionValues: partition, size: bytes, dataChange: true },
          ...{ modificationTime: 0, stats: JSON.stringify({ numRecords: rows }), tags: { since: "0" } },
        },
      })),
    ];
    mkdirSync(join(lake, name, "_delta_log"), { recursive: true });
    const lines = actions.map((action) => `${JSON.stringify(action)}\n`).join("");
    writeFileSync(join(lake, name, "_delta_log", `${"0".repeat(20)}.json`), lines);
  }
  for (const { path } of files) {
    mkdirSync(dirname(join(lake, path)), { recursive: true });
    copyFileSync(join(folder, path), join(lake, path));
  }
  const versions = Object.fromEntries(names.map((name) => [name, 0]));
  writeFileSync(join(lake, "snapshots.json"), JSON.stringify({ snapshots: [{ id, generation, createdAt, versions }] }));
  mkdirSync(join(lake, "snapshots"));
  writeFileSync(join(lake, snapshotKey(manifest)), manifestText(manifest));
  writeFileSync(join(lake, "current.json"), pointerText({ snapshot: manifest, retained: [] }));
}

test("the newest version has doubles; the older one stays readable with decimals", async () => {
  const averageAs = (type: string) => ({
    table: "grades",
    select: `SELECT * REPLACE (averageGPA::${type} AS averageGPA)`,
  });
  const old = await publishOlder(place.artifacts, reader, averageAs("DECIMAL(4,2)"));
  const lake = join(place.data, "lake");
  exportAsBefore(lake, old);
  await migrate(place.artifacts, { steps: { 0: stepOf(averageAs("DOUBLE")) } });
  const { restored, snapshot } = await exportLake(place.artifacts, lake, { now: NOW });
  expect(restored).toEqual([]);
  const grades = join(lake, "grades");
  expect([snapshot.versions["grades"], snapshot.versions["former_names"]]).toEqual([1, 0]);
  expect(listedSnapshots(lake).map(({ id }) => id)).toEqual([snapshot.id, old.manifest.id]);

  const schemaOf = (version: number) => {
    const commits = Array.from({ length: version + 1 }, (_, at) =>
      readFileSync(join(grades, "_delta_log", `${String(at).padStart(20, "0")}.json`), "utf8"),
    );
    const actions = commits
      .join("")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { metaData } = actions.findLast((action) => "metaData" in action);
    const { fields } = JSON.parse(metaData.schemaString) as { fields: { name: string; type: string }[] };
    return [metaData.id, fields.find(({ name }) => name === "averageGPA")?.type];
  };
  const rows: unknown[] = [];
  for (const [version, type, stored] of [
    [0, "decimal(4,2)", "DECIMAL(4,2)"],
    [1, "double", "DOUBLE"],
  ] as const) {
    expect(schemaOf(version)).toEqual(["table-grades", type]);
    const files = await readVersion(reader.connection, grades, version);
    expect(files.length).toBeGreaterThan(0);
    for (const { path } of files) {
      const read = await reader.connection.runAndReadAll(
        `SELECT DISTINCT typeof(averageGPA) FROM read_parquet('${join(grades, path)}')`,
      );
      expect(read.getRowsJson()).toEqual([[stored]]);
    }
    const read = await reader.connection.runAndReadAll(
      `SELECT year, quarter, sectionCode, averageGPA::DOUBLE FROM read_parquet([${files.map(({ path }) => `'${join(grades, path)}'`).join(", ")}]) ORDER BY ALL`,
    );
    rows.push(read.getRowsJson());
  }
  expect(rows[1]).toEqual(rows[0]);
});
