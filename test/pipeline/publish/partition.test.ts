import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VARCHAR, LIST, listValue } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { enrollmentPeriods, SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { grades } from "../../../pipeline/contract/rows/grade.ts";
import { sections } from "../../../pipeline/contract/rows/section.ts";
import { TABLES } from "../../../pipeline/contract/tables.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { type PartitionRequest, type StagingFolder, writePartition } from "../../../pipeline/publish/partition.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { STAMPED } from "./publisher.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "./scratch.ts";

const { connection } = await scratchDatabase();
const filesFolder = scratchFolder();
const room: StagingFolder = { disk: nodeDisk, filesFolder };
const YEAR = { year: "2024" };
const write = (request: Partial<PartitionRequest>) =>
  writePartition(connection, room, { table: grades, partition: YEAR, select: "FROM rows_grades", ...request });
const leftovers = async () => (await nodeDisk.readdir(filesFolder)).filter((name) => name.endsWith(".parquet"));

/** Grade rows with distinct keys, in an order that is not the published one. */
const many = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    gradeRow({
      sectionCode: String((i * 7919) % count).padStart(5, "0"),
      quarter: i % 2 ? "Fall" : "Winter",
      department: `D${i % 50}`,
      courseNumeric: i % 200,
      instructors: [`PERSON ${i % 300}, A.`],
    }),
  );

const refusal = (words: RegExp) => ({ name: "GuardError", message: expect.stringMatching(words) as string });
const replaced = (what: string) => `SELECT * REPLACE (${what}) FROM rows_grades`;

describe("writePartition", () => {
  test("the file carries the contract's columns, sorted, and is named by its content", async () => {
    await loadRows(connection, grades, many(3000));
    const file = await write({});
    expect(file).toMatchObject({ table: "grades", partition: YEAR, rows: 3000 });
    expect(file.path).toBe(`grades/2024-${file.sha256.slice(0, 32)}.parquet`);
    const at = join(filesFolder, file.path);
    expect(await nodeDisk.digest(at)).toEqual({ sha256: file.sha256, bytes: file.bytes });
    const reader = await connection.runAndReadAll(
      `SELECT quarter, "sectionCode", typeof("averageGPA") FROM read_parquet($1, hive_partitioning = false)`,
      [at],
    );
    const keys = reader.getRowsJson().map(([quarter, code]) => `${String(quarter)} ${String(code)}`);
    expect(keys).toEqual(keys.toSorted());
    expect(reader.getRowsJson()[0]?.[2]).toBe("DOUBLE");
  });

  test("equal rows give equal bytes, in any order and with any number of threads", async () => {
    const rows = many(20_000);
    const hashes = new Set<string>();
    for (const threads of [1, 2, 4, 8]) {
      const other = await scratchDatabase(threads);
      const shuffled = rows.toSorted(
        (a, b) => ((Number(a.sectionCode) * 31 * threads) % 997) - ((Number(b.sectionCode) * 31 * threads) % 997),
      );
      await loadRows(other.connection, grades, shuffled);
      const file = await writePartition(other.connection, room, {
        table: grades,
        partition: YEAR,
        select: "FROM rows_grades",
      });
      hashes.add(readFileSync(join(filesFolder, file.path)).toString("base64"));
    }
    expect(hashes.size).toBe(1);
  });

  test("row groups are small enough to be skipped by a filter", async () => {
    await loadRows(connection, grades, many(20_000));
    const { path } = await write({});
    const groups = await connection.runAndReadAll(
      "SELECT DISTINCT row_group_num_rows::INTEGER FROM parquet_metadata($1) ORDER BY 1 DESC",
      [join(filesFolder, path)],
    );
    expect(groups.getRowsJson()[0]).toEqual([8192]);
  });

  test("every table of the contract can be written, values bound", async () => {
    for (const { table, partition, select } of STAMPED) {
      const file = await write({ table: TABLES[table], partition, select, values: [17, 20] });
      expect(file.rows).toBeGreaterThan(0);
    }
    await loadRows(connection, grades, [gradeRow(), gradeRow({ sectionCode: "2", department: "MATH" })]);
    const bound = await write({
      select: "FROM rows_grades WHERE list_contains($1, department)",
      values: [listValue(["MATH"])],
      types: [LIST(VARCHAR)],
    });
    expect(bound.rows).toBe(1);
  });

  test("other types are cast to the contract's, losslessly", async () => {
    await loadRows(connection, grades, [gradeRow()]);
    const { path } = await write({
      select: `SELECT * REPLACE ("averageGPA"::DOUBLE AS "averageGPA", "courseNumeric"::BIGINT AS "courseNumeric") FROM rows_grades`,
    });
    const reader = await connection.runAndReadAll(`SELECT "averageGPA"::VARCHAR FROM read_parquet($1)`, [
      join(filesFolder, path),
    ]);
    expect(reader.getRowsJson()).toEqual([["2.45"]]);
  });

  test("a partition without rows is an error unless it is allowed; then a file says that it is empty", async () => {
    await loadRows(connection, grades, []);
    await expect(write({})).rejects.toThrow(/grades 2024: no rows/);
    expect(await write({ allowEmpty: true })).toMatchObject({ rows: 0 });
  });
});

describe("the audit", () => {
  test("two rows with one key: the key is named", async () => {
    await loadRows(connection, grades, [
      gradeRow(),
      gradeRow({ department: "MATH" }),
      gradeRow({ sectionCode: "00001" }),
    ]);
    await expect(write({})).rejects.toMatchObject(
      refusal(/grades 2024: more than one row with the same quarter, sectionCode: Fall 34160$/),
    );
    expect(await leftovers()).toEqual([]);
  });

  test("null where the contract has none: the column and the first offenders are named", async () => {
    await loadRows(connection, grades, many(20));
    await expect(write({ select: replaced(`NULL AS department`) })).rejects.toMatchObject(
      refusal(/department does not match the contract in 20 of 20 rows: Fall 00001, .*, …/),
    );
    await expect(write({ select: replaced(`['A', NULL] AS instructors`) })).rejects.toMatchObject(
      refusal(/instructors does not match/),
    );
  });

  test("a word that is not in its list, also inside a list", async () => {
    await loadRows(connection, grades, [gradeRow()]);
    await expect(write({ select: replaced(`'Autumn' AS quarter`) })).rejects.toMatchObject(
      refusal(/quarter does not match .* 1 of 1 rows: Autumn 34160/),
    );
    await expect(write({ select: replaced(`['GE-2', 'GE-9'] AS "geCategories"`) })).rejects.toMatchObject(
      refusal(/geCategories does not match/),
    );
  });

  test("null deep inside a nested value, where only some nulls are allowed", async () => {
    const stamped = STAMPED.find(({ table }) => table === "sections");
    const select = (meetings: string) => `SELECT * REPLACE (${meetings} AS meetings) FROM (${stamped?.select})`;
    const request = { table: sections, partition: stamped?.partition ?? {}, values: [1, 3] };
    const tba = "[{'timeIsTBA': true, 'bldg': ['TBA'], 'days': NULL, 'startTime': NULL, 'endTime': NULL}]";
    expect(await write({ ...request, select: select(tba) })).toMatchObject({ rows: 3 });
    await expect(write({ ...request, select: select(tba.replace("['TBA']", "[NULL]")) })).rejects.toMatchObject(
      refusal(/sections 2024 Fall: meetings does not match/),
    );
    await expect(write({ ...request, select: select(tba.replace("true", "NULL")) })).rejects.toMatchObject(
      refusal(/meetings does not match/),
    );
    await expect(
      write({
        ...request,
        select: select(tba.replace("'startTime': NULL", "'startTime': {'hour': 9, 'minute': NULL}")),
      }),
    ).rejects.toMatchObject(refusal(/meetings does not match/));
    await expect(write({ ...request, select: select("[NULL]") })).rejects.toMatchObject(
      refusal(/meetings does not match/),
    );
  });

  test("a row of another partition", async () => {
    await loadRows(connection, grades, [gradeRow(), gradeRow({ year: "2023", sectionCode: "00007" })]);
    await expect(write({})).rejects.toMatchObject(refusal(/year is not 2024 in 1 of 2 rows: Fall 00007/));
  });

  test("a month has a file of its own, which plain tools find; another's rows are not let in", async () => {
    const term = { year: "2024", quarter: "Fall" as const };
    const values = SNAPSHOT_VALUES.map((name) => `'1' AS ${name}`).join(", ");
    const monthOf = (month: string) => ({
      table: enrollmentPeriods,
      partition: { ...term, month },
      select: `SELECT '2024' AS year, 'Fall' AS quarter, '2024-09' AS month, '35730' AS sectionCode, DATE '2024-09-30' AS first,
        DATE '2024-09-30' AS last, ${values}, false AS imported`,
    });
    const { path } = await write(monthOf("2024-09"));
    expect(path).toMatch(/^enrollment_periods\/2024-Fall-2024-09-[0-9a-f]{32}\.parquet$/);
    const reader = await connection.runAndReadAll(
      `SELECT year, quarter, month, sectionCode FROM '${filesFolder}/enrollment_periods/2024-*.parquet' WHERE month = '2024-09' AND quarter = 'Fall'`,
    );
    expect(reader.getRowsJson()).toEqual([["2024", "Fall", "2024-09", "35730"]]);
    await expect(write(monthOf("2024-10"))).rejects.toMatchObject(refusal(/month is not 2024-10 in 1 of 1 rows/));
    await expect(
      write({ ...monthOf("2024-09"), partition: { ...term, quarter: "Winter", month: "2024-09" } }),
    ).rejects.toMatchObject(refusal(/quarter is not Winter in 1 of 1 rows/));
    await expect(write(monthOf("9"))).rejects.toMatchObject(refusal(/no month: 9/));
    await expect(write({ ...monthOf("2024-09"), partition: term })).rejects.toMatchObject(
      refusal(/partitioned by \(year, quarter, month\), not by \(year, quarter\)/),
    );
  });

  test("a column too few, and a partition by other columns", async () => {
    await loadRows(connection, grades, [gradeRow()]);
    await expect(write({ select: "SELECT * EXCLUDE (department) FROM rows_grades" })).rejects.toThrow("department");
    await expect(write({ partition: { year: "2024", quarter: "Fall" } })).rejects.toMatchObject(
      refusal(/partitioned by \(year\), not by \(year, quarter\)/),
    );
    await expect(write({ partition: {} })).rejects.toMatchObject(refusal(/not by \(\)/));
    await expect(write({ partition: { year: "../x" } })).rejects.toMatchObject(refusal(/no year/));
  });

  test("a value that cannot be cast stops the partition and leaves no file", async () => {
    await loadRows(connection, grades, [gradeRow()]);
    await expect(write({ select: replaced(`'many' AS "gradeACount"`) })).rejects.toThrow(/many/);
    expect(await leftovers()).toEqual([]);
  });
});
