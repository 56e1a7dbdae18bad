/**
 * Writing files: the inputs, the refusals before and after, and the remains, with a database that writes its statements
 * on a disk in memory.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Partition, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { emptyName, TABLE_NAMES, TABLES } from "../../../pipeline/contract/tables.ts";
import { filesOfView, VIEWS } from "../../../pipeline/contract/views.ts";
import { GuardError } from "../../../pipeline/errors.ts";
import { filePath } from "../../../pipeline/store/layout.ts";
import { type DeriveOptions, deriveFiles } from "../../../pipeline/publish/derive.ts";
import {
  appendPartition,
  orderOf,
  type PartitionRequest,
  writePartition,
} from "../../../pipeline/publish/partition.ts";
import type { LocatedFile } from "../../../pipeline/store/publish.ts";
import { memoryDisk } from "../../support/memory-disk.ts";
import { COLUMN_TYPES, fileOf } from "../../support/memory-generations.ts";

const FILES = "/staging/files";
// Copies: what the contract says of a table is remembered by the table.
const GRADES = { ...TABLES.grades };
const COLUMNS = Object.keys(GRADES.row.shape);

let disk = memoryDisk();
/** The database's findings in the files that it wrote. */
let results: { rows: number; offences: number; named: string[][]; fails: RegExp } = reset();
function reset() {
  return { rows: 3, offences: 0, named: [] as string[][], fails: /^never$/ };
}
beforeEach(() => {
  disk = memoryDisk();
  results = reset();
});
const connection = {
  async run(sql: string, values: string[] = []) {
    if (results.fails.test(sql)) throw new Error("no memory");
    if (sql.startsWith("COPY")) disk.put(values.at(-1) ?? "", sql.replaceAll(/\s+/g, " "));
  },
  async runAndReadAll(sql: string) {
    const { rows: all, named, offences } = results;
    const counted = [all, named.length > 0 ? all - 1 : all, offences, ...Array.from({ length: 99 }, () => 0)];
    const rows = sql.startsWith("SELECT column_name")
      ? COLUMN_TYPES.map((column) => column.split(" "))
      : sql.startsWith("SELECT count(*)")
        ? [counted]
        : named;
    return { getRowsJS: () => rows, getRowsJson: () => rows };
  },
} as unknown as DuckDBConnection;
const staging = () => ({
  disk: { ...disk, writtenBy: <T>(_: string, write: () => Promise<T>) => write() },
  filesFolder: FILES,
});
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => `${error instanceof GuardError ? "GuardError: " : ""}${error.message}`,
  );

describe("a part", () => {
  const write = (more: Partial<PartitionRequest> = {}) =>
    writePartition(connection, staging(), { table: GRADES, partition: { year: "2024" }, select: "FROM x", ...more });

  it("is named by its hash, sorted, and alone in the folder", async () => {
    const file = await write({ values: ["a"] });
    const text = await disk.readFile(join(FILES, file.path));
    expect(file).toEqual({ ...fileOf("grades", { year: "2024" }, text), rows: 3 });
    expect(disk.paths()).toEqual([join(FILES, file.path)]);
    expect(text).toMatch(
      /^COPY \(SELECT CAST\("year" AS .*FROM \(FROM x\) ORDER BY "quarter", "sectionCode"\) TO \$2 /,
    );
    expect(text).toMatch(/\(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192, USE_TMP_FILE false\)$/);
  });

  it("has the keys of its table", async () => {
    const parted = (partition: Partition, table: PartitionRequest["table"] = GRADES) =>
      messageOf(write({ partition, table }));
    expect(await parted({})).toBe("GuardError: grades: partitioned by (year), not by ()");
    expect(await parted({ year: "2024", quarter: "Fall" })).toBe(
      "GuardError: grades: partitioned by (year), not by (year, quarter)",
    );
    expect(await parted({ quarter: "Fall" })).toBe("GuardError: grades: partitioned by (year), not by (quarter)");
    for (const year of ["24", "20245", "x2024"])
      expect(await parted({ year })).toBe(`GuardError: grades: no year: ${year}`);
    const months = { ...TABLES.enrollment_periods };
    for (const month of ["11", "2024-011", "x2024-01"])
      expect(await parted({ year: "2024", quarter: "Fall", month }, months)).toBe(
        `GuardError: enrollment_periods: no month: ${month}`,
      );
  });

  it("that does not pass its audit, has no rows or cannot be written leaves no file", async () => {
    results.offences = 2;
    results.named = [
      ["Fall", "1"],
      ["Fall", null as never],
    ];
    expect(await messageOf(write())).toBe(
      `GuardError: grades 2024: ${COLUMNS[0]} does not match the contract in 2 of 3 rows: Fall 1, Fall (none); more than one row with the same quarter, sectionCode: Fall 1, Fall (none)`,
    );
    results = { ...reset(), rows: 0 };
    expect(await messageOf(write())).toBe("GuardError: grades 2024: no rows");
    results.fails = /^COPY/;
    expect(await messageOf(write())).toBe("no memory");
    expect(disk.paths()).toEqual([]);
    results = { ...reset(), rows: 0 };
    expect((await write({ allowEmpty: true })).rows).toBe(0);
  });

  it("names five of the rows that do not pass", async () => {
    results.offences = 6;
    results.named = ["1", "2", "3", "4", "5", "6"].map((code) => ["Fall", code]);
    const five = "Fall 1, Fall 2, Fall 3, Fall 4, Fall 5, …";
    expect(await messageOf(write())).toBe(
      `GuardError: grades 2024: ${COLUMNS[0]} does not match the contract in 6 of 3 rows: ${five}; more than one row with the same quarter, sectionCode: ${five}`,
    );
  });

  it("is what is left when what must not be published is taken out", async () => {
    const left = fileOf("grades", {}, "left");
    const keeping = { ...staging(), withoutForgotten: async () => left };
    const request = { table: GRADES, partition: { year: "2024" }, select: "FROM x" };
    expect(await writePartition(connection, keeping, request)).toBe(left);
  });

  it("that grows at its end has the rows of both, in groups of the table's size", async () => {
    const months = { ...TABLES.enrollment_periods };
    const part = (rows: number, path: string) => ({
      file: { ...fileOf(months.name, { year: "2024" }, path), rows },
      path,
    });
    const append = () =>
      appendPartition(connection, staging(), months, { earlier: part(1, "/earlier"), fresh: part(2, "/fresh") });
    const file = await append();
    expect([file.rows, file.partition]).toEqual([3, { year: "2024" }]);
    expect(await disk.readFile(join(FILES, file.path))).toMatch(
      /^COPY \(FROM .*\/earlier.* UNION ALL FROM .*\/fresh[^)]*\)\) TO \$1 .*ROW_GROUP_SIZE 65536/,
    );
    results.rows = 4;
    expect(await messageOf(append())).toBe("GuardError: enrollment_periods: not 3 rows");
  });

  it("is sorted by the table's order, made total by its key", () => {
    expect(orderOf({ ...GRADES, sortedBy: ["year", "quarter"], key: ["quarter", "sectionCode"] })).toBe(
      '"year", "quarter", "sectionCode"',
    );
    expect(orderOf({ ...GRADES, sortedBy: ["len(year)"], key: ["quarter"] })).toBe('len(year), "quarter"');
    expect(orderOf({ ...GRADES, key: [] })).toBe("ALL");
  });
});

describe("files that are made from others", () => {
  const problems: string[] = [];
  const input = (table: string, partition: Partition, text = "text") => ({
    file: fileOf(table, partition, text),
    at: `/files/${table}`,
  });
  const FALL = { year: "2024", quarter: "Fall" } as const;
  const WINTER = { year: "2025", quarter: "Winter" } as const;
  const derive = (files: DeriveOptions["files"], earlier: DeriveOptions["earlier"] = []) => {
    problems.length = 0;
    return deriveFiles(connection, staging(), { files, earlier, onProblem: (problem) => problems.push(problem) });
  };
  const named = (made: readonly LocatedFile[], name: string) =>
    made.filter(({ file }) => file.table === name).map(({ file }) => file);
  const textOf = ({ path }: Pick<PublishedFile, "path">) => disk.readFile(join(FILES, path));

  it("are one without rows of each table and view that has none", async () => {
    const made = await derive([]);
    for (const name of [...VIEWS.map(filesOfView), ...TABLE_NAMES.map(emptyName)]) {
      const [file, ...more] = named(made, name);
      expect([more, file?.partition, file?.path]).toEqual([[], {}, filePath(name, {}, file?.sha256 ?? "")]);
    }
    const [grades] = named(made, emptyName("grades"));
    expect(grades?.path).toMatch(/^grades\/empty-[0-9a-f]{32}\.parquet$/);
    expect(await textOf(grades as PublishedFile)).toMatch(/ WHERE false\) ORDER BY "quarter", "sectionCode"\)/);
    expect(named(await derive([input("grades", { year: "2024" })]), emptyName("grades"))).toEqual([]);
  });

  it("are one of a view for each part of its first table, over the other tables' rows of that part", async () => {
    const terms = [input("sections", FALL), input("sections", WINTER), input("headings", FALL)];
    const made = await derive(terms);
    expect(named(made, "views/seats").map(({ partition }) => partition)).toEqual([FALL, WINTER]);
    const [fall, winter] = await Promise.all(named(made, "views/schedule").map(textOf));
    expect(
      [fall, winter].map((text) =>
        /"headings" AS NOT MATERIALIZED \(SELECT \* FROM [^)]*'\/files\/headings'/.test(text ?? ""),
      ),
    ).toEqual([true, false]);
    expect(fall).toMatch(/^COPY \(WITH "sections" AS NOT MATERIALIZED \(SELECT \* FROM .*\), "headings" AS/);
    const [seats] = named(made, "views/seats");
    expect(seats?.path).toBe(filePath("views/seats", FALL, seats?.sha256 ?? ""));
    expect(seats?.rows).toBe(3);
  });

  it("of a month are over the term's rows, and of a whole table over all", async () => {
    const month = { ...FALL, month: "2024-11" };
    const made = await derive([
      ...[
        input("enrollment_periods", month),
        input("enrollment_history", FALL),
        input("enrollment_history", WINTER, "other"),
      ],
      ...[input("courses", {}), input("calendar", {})],
    ]);
    const [days] = named(made, "views/enrollment_days");
    expect(days?.partition).toEqual(month);
    const text = await textOf(days as PublishedFile);
    expect(text.match(/\/files\/enrollment_history/g)).toHaveLength(1);
    expect(text).toContain("ROW_GROUP_SIZE 65536");
    expect(named(made, "views/prerequisites").map(({ partition }) => partition)).toEqual([{}]);
  });

  it("are none of what the next run has to fetch again", async () => {
    const made = await derive([input("sections", FALL), { ...input("sections", WINTER), at: undefined }]);
    expect(named(made, "views/seats").map(({ partition }) => partition)).toEqual([FALL]);
  });

  it("are those of before where they are of the same: the content of what they read, whatever its order", async () => {
    const files = [input("sections", FALL), input("grades", { year: "2024" })];
    const first = await derive(files);
    results.fails = /^COPY/;
    expect(new Set(await derive(files.toReversed(), first))).toEqual(new Set(first));
    expect(problems).toEqual([]);
    const changed = await derive([input("sections", FALL, "other"), ...files.slice(1)], first);
    expect(named(changed, "views/seats")).toEqual([]);
    expect(named(changed, "views/grade_students")).toHaveLength(1);
    expect(problems).toContain("views/seats 2024 Fall: no memory");
    // A file with equal content in another part does not belong to this part.
    expect(named(await derive([input("sections", WINTER)], first), "views/seats")).toEqual([]);
    expect(first.every(({ file }) => /^[0-9a-f]{64}$/.test(file.madeOf ?? ""))).toBe(true);
    expect(new Set(first.map(({ file }) => file.madeOf)).size).toBe(first.length);
  });
});
