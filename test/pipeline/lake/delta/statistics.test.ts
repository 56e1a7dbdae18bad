/** The statistics of a data file, against those that SQL computes from its rows. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { duckdbColumns, type Table } from "../../../../pipeline/contract/table.ts";
import { TABLES } from "../../../../pipeline/contract/tables.ts";
import { readStatistics } from "../../../../pipeline/lake/delta/statistics.ts";
import { nodeDisk } from "../../../../pipeline/disk/disk.ts";
import { writePartition } from "../../../../pipeline/publish/partition.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "../../publish/scratch.ts";
import { loadRows } from "../../../../pipeline/publish/rows.ts";

const { connection } = await scratchDatabase();
const filesFolder = scratchFolder();

async function statisticsOf(table: Table, rows: Record<string, unknown>[]) {
  const partition = Object.fromEntries(table.partitionedBy.map((name) => [name, rows[0]?.[name]]));
  const select = `SELECT * FROM ${await loadRows(connection, table, rows)}`;
  const staging = { disk: nodeDisk, filesFolder };
  const file = await writePartition(connection, staging, { table, partition, select, allowEmpty: true });
  const from = join(filesFolder, file.path);
  const statistics = await readStatistics(connection, table, [{ from, rows: file.rows }]);
  return { from, found: JSON.parse(statistics.get(from) ?? "") as Record<string, Record<string, unknown>> };
}

test("grades: decimals are numbers, missing values are counted, texts are ordered by their bytes", async () => {
  // More rows than one row group has, with the extremes in different ones.
  const rows = Array.from({ length: 9000 }, (_, i) =>
    gradeRow({
      sectionCode: String(10_000 + i),
      gradeACount: i === 8999 ? 100 : 9,
      averageGPA: i % 3 === 0 ? null : i === 1 ? 0.05 : 3.95,
      department: i === 5 ? "\u{1F3B5}" : i === 6 ? "\uFF5A" : "MATH",
    }),
  );
  const { found } = await statisticsOf(TABLES.grades, rows);
  expect(found).toMatchObject({
    numRecords: 9000,
    minValues: { sectionCode: "10000", gradeACount: 9, averageGPA: 0.05, department: "MATH" },
    maxValues: { sectionCode: "18999", gradeACount: 100, averageGPA: 3.95, department: "\u{1F3B5}" },
    nullCount: { sectionCode: 0, averageGPA: 3000 },
  });
  for (const name of ["year", "instructors", "sheetOnly"]) expect(found["minValues"]).not.toHaveProperty(name);
});

test("a column without values has no bounds, and long texts have none either", async () => {
  const blank = await statisticsOf(TABLES.grades, [gradeRow({ averageGPA: null, department: "D".repeat(65) })]);
  expect(blank.found["nullCount"]).toMatchObject({ averageGPA: 1, department: 0 });
  for (const name of ["averageGPA", "department"]) expect(blank.found["maxValues"]).not.toHaveProperty(name);
  const none = await statisticsOf(TABLES.enrollment_imports, []);
  expect(none.found).toMatchObject({ numRecords: 0, minValues: {}, maxValues: {}, nullCount: { file: 0 } });
});

test("every scalar column of a table of dates: what SQL says", async () => {
  const days = ["2024-01-08", "2024-03-15", "2023-09-28"];
  const rows = days.map((day, i) => ({
    year: `202${i}`,
    quarter: "Fall",
    instructionStart: day,
    instructionEnd: day,
    finalsStart: day,
    finalsEnd: day,
  }));
  const { from, found } = await statisticsOf(TABLES.calendar, rows);
  for (const { name } of duckdbColumns(TABLES.calendar.row.shape)) {
    const read = await connection.runAndReadAll(
      `SELECT min("${name}")::VARCHAR, max("${name}")::VARCHAR FROM read_parquet('${from}')`,
    );
    expect([found["minValues"]?.[name], found["maxValues"]?.[name]]).toEqual(read.getRowsJS()[0]);
  }
});
