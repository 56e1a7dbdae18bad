/**
 * The files that are derived from those of the tables: their content, when they are rebuilt, and how a copy and a lake
 * treat them.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describedColumns } from "../../../pipeline/contract/descriptions.ts";
import { isMade, type Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import type { Table } from "../../../pipeline/contract/table.ts";
import { emptyName, TABLE_NAMES, TABLES } from "../../../pipeline/contract/tables.ts";
import { quoteIdentifier } from "../../../pipeline/contract/sql-text.ts";
import { filesOfView, VIEWS } from "../../../pipeline/contract/views.ts";
import { openFollower } from "../../../pipeline/follow.ts";
import { lacksData, readBase } from "../../../pipeline/store/open.ts";
import { type PublishedSnapshot, readCurrent, tableFiles } from "../../../pipeline/store/published.ts";
import { verifySnapshot } from "../../../pipeline/store/verify.ts";
import { lifetimesOf } from "../../../pipeline/lake/ducklake/file-rows.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";
import { createViews } from "../../../pipeline/publish/sql/described-views.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { flipByte } from "../../support/published/recorded-history.ts";
import { type PublishedRows, publishRows } from "../../support/published/published.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { gradeRow, scratchFolder } from "./scratch.ts";

const artifacts = scratchFolder();
let database: Database;
beforeAll(async () => {
  database = await openDatabase({ memoryLimit: "400MB", threads: 1, tempFolder: join(artifacts, "spill") });
});
afterAll(() => database.close());

const terms = ["Spring", "Fall"] as const;
const sections = terms.flatMap((quarter) =>
  ["10001", "10002"].map((sectionCode) => sectionRow({ quarter, sectionCode, instructors: ["LEE, A.", "STAFF"] })),
);
const { deptCode: department, courseNumber, courseNumeric, sectionType, sectionNum, units } = sectionRow();
const of = { year: "2024", quarter: "Fall", sectionCode: "10001" } as const;
const described = { department, courseNumber, courseNumeric, sectionType, sectionNum, units };
const values = {
  maxCapacity: "30",
  totalEnrolled: "28",
  waitlist: "",
  waitlistCap: "",
  requested: "",
  newOnlyReserved: "",
};
const periods = [
  ["2024-09", "2024-09-29", "2024-09-30"],
  ["2024-10", "2024-10-01", "2024-10-03"],
].map(([month = "", first = "", last = ""]) => ({
  ...of,
  month,
  first,
  last,
  ...values,
  status: "OPEN",
  imported: false,
}));
const course = { prereqType: "course", coreq: false, courseId: "DANCE 10" };
const rows: PublishedRows = {
  sections,
  headings: headingsOf(sections),
  grades: [gradeRow({ year: "2023" }), gradeRow({ year: "2024" })],
  courses: [courseRow(), courseRow({ courseNumber: "11", requirementTree: JSON.stringify({ AND: [course] }) })],
  enrollment_history: [{ ...of, ...described, instructors: [], meetings: [], finalExam: "", imported: false }],
  enrollment_periods: periods,
  calendar: [
    {
      ...{ year: "2024", quarter: "Fall" },
      ...{ instructionStart: "2024-09-26", instructionEnd: "2024-12-06" },
      finalsStart: "2024-12-07",
      finalsEnd: "2024-12-13",
    },
  ],
};

const publish = (changed: PublishedRows, folder = artifacts) => publishRows(folder, changed, { derive: true });
const madeIn = ({ files }: Manifest) => files.filter(isMade);
const pathsOf = (manifest: Manifest) => madeIn(manifest).map(({ path }) => path);
const select = async (statement: string) => (await database.connection.runAndReadAll(statement)).getRowsJson();

it("a folder has the rows of each view in files, and of each table without rows a file", async () => {
  const { published } = await publish(rows);
  const { folder, manifest } = published;
  expect(await verifySnapshot(database.connection, published)).toEqual([]);
  await createViews(database.connection, tableFiles(published));
  for (const view of VIEWS) {
    const columns = Object.keys(view.row.shape).map(quoteIdentifier).join(", ");
    const files = `read_parquet('${folder}/${filesOfView(view)}/*.parquet')`;
    const [made, asked] = [
      await select(`SELECT * FROM ${files} ORDER BY ALL`),
      await select(`SELECT ${columns} FROM "${view.name}" ORDER BY ALL`),
    ];
    expect([view.name, made]).toEqual([view.name, asked]);
    const hasRows = !["holidays", "registration_dates", "finals"].includes(view.name);
    expect([view.name, made.length > 0]).toEqual([view.name, hasRows]);
  }
  for (const name of TABLE_NAMES) {
    const table: Table = TABLES[name];
    const columns = await select(`SELECT column_name FROM (DESCRIBE FROM read_parquet('${folder}/${name}/*.parquet'))`);
    expect([name, columns.flat()]).toEqual([name, describedColumns(table).map((column) => column.name)]);
  }
  const partsOf = (table: string) =>
    manifest.files.filter((file) => file.table === table).map(({ partition }) => partition);
  expect(partsOf("views/enrollment_days")).toEqual([
    { year: "2024", quarter: "Fall", month: "2024-09" },
    { year: "2024", quarter: "Fall", month: "2024-10" },
  ]);
  expect([partsOf("views/seats").length, partsOf("views/prerequisites")]).toEqual([2, [{}]]);
  expect([partsOf("larc"), partsOf(emptyName("larc")), partsOf(emptyName("grades"))]).toEqual([[], [{}], []]);
});

it("equal rows make equal files; a change makes those of its part anew, and of no other", async () => {
  const other = await publish(rows, join(artifacts, "other"));
  const before = (await readCurrent(artifacts))?.manifest as Manifest;
  expect(pathsOf(other.published.manifest)).toEqual(pathsOf(before));
  const changed = sections.filter(({ quarter }) => quarter === "Fall").map((row) => ({ ...row, maxCapacity: "77" }));
  const { published } = await publish({ sections: changed });
  const known = new Set(pathsOf(before));
  expect(
    pathsOf(published.manifest)
      .filter((path) => !known.has(path))
      .map((path) => path.slice(0, path.lastIndexOf("-"))),
  ).toEqual(["schedule", "seats"].map((view) => `views/${view}/2024-Fall`));
  expect(published.manifest.id).not.toBe(before.id);
});

it("another version of the program, with another statement of a view, makes that view's files anew", async () => {
  const folder = join(artifacts, "another-version");
  const [view] = VIEWS.filter(({ name }) => name === "seats");
  const { select: statement } = view as { select: string };
  const before = (await publish({ sections }, folder)).published.manifest;
  try {
    Object.assign(view as object, { select: `SELECT * REPLACE ('0' AS sectionCode) FROM (${statement})` });
    const changed = sections.filter(({ quarter }) => quarter === "Fall").map((row) => ({ ...row, maxCapacity: "78" }));
    const after = (await publish({ sections: changed }, folder)).published.manifest;
    const made = pathsOf(after).filter((path) => path.startsWith("views/seats/") && !pathsOf(before).includes(path));
    expect(made).toEqual([
      expect.stringMatching(/^views\/seats\/2024-Fall-/),
      expect.stringMatching(/^views\/seats\/2024-Spring-/),
    ]);
  } finally {
    Object.assign(view as object, { select: statement });
  }
});

it("one that is damaged is named, and made again by the next publication though no data changed", async () => {
  const current = (await readCurrent(artifacts)) as PublishedSnapshot;
  const { folder, manifest } = current;
  const path = manifest.files.find(({ table }) => table === "views/seats")?.path ?? "";
  await flipByte(join(folder, path));
  expect(await verifySnapshot(database.connection, current)).toEqual([
    { path, problem: "the content has another SHA-256" },
  ]);
  const base = await readBase(artifacts);
  expect([base.lost.map(({ file }) => file.path), lacksData(base)]).toEqual([[path], false]);
  const { changed, published, id } = await publish({});
  expect([changed, id, pathsOf(published.manifest)]).toEqual([true, manifest.id, pathsOf(manifest)]);
  expect(await verifySnapshot(database.connection, published)).toEqual([]);
});

it("a lake has them, and whoever follows it; what no retained snapshot has goes", async () => {
  const [lake, copy] = [join(artifacts, "lake"), join(artifacts, "copy")];
  const exported = () =>
    exportSnapshot(artifacts, openFolderStore(lake), { now: new Date(), retain: { hours: 0, days: 0, months: 0 } });
  const inLake = () =>
    readdirSync(lake, { recursive: true })
      .map(String)
      .filter((path) => /^views\/.+\.parquet$|\/empty-/.test(path));
  await exported();
  const before = (await readCurrent(artifacts))?.manifest as Manifest;
  expect(inLake().toSorted()).toEqual(pathsOf(before));
  expect(lifetimesOf([before]).map(({ file }) => file)).toEqual(before.files.filter((file) => !isMade(file)));
  const follower = openFollower({
    url: new URL(`file://${lake}/`),
    artifactsDir: copy,
    everyMs: 3_600_000,
    log: silentLog,
  });
  await follower.poll();
  expect(follower.state().problem).toBeNull();
  const copied = await readCurrent(copy);
  expect(copied?.manifest.files).toEqual(before.files);
  await publish({ grades: [gradeRow({ year: "2024", gradeACount: 99 })], larc: [] });
  await exported();
  const after = (await readCurrent(artifacts))?.manifest as Manifest;
  expect(inLake().toSorted()).toEqual(pathsOf(after));
  await follower.poll();
  const again = (await readCurrent(copy)) as NonNullable<typeof copied>;
  expect(again.manifest.files).toEqual(after.files);
  expect(await verifySnapshot(database.connection, again)).toEqual([]);
  await follower.close();
});
