/**
 * No damage loses data that cannot be fetched again: after a run each of these tables has the same rows as before, or
 * the run names it and ends with status 1. Driven by the list of the tables, for each loss and each available backup.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IRREPLACEABLE_TABLES, type TableName, TABLES } from "../../pipeline/contract/tables.ts";
import { tableRows } from "../../pipeline/contract/sql-text.ts";
import { type PublishedSnapshot, listPublished, readCurrent, readSnapshot } from "../../pipeline/store/published.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { someOf } from "../support/extent.ts";
import { HARMS, openDamagedBase, SYSTEMS_DOWN } from "../support/published/damaged-base.ts";

const { connection, copy } = await openDamagedBase();
type Place = Awaited<ReturnType<typeof copy>>;

const TABLE_LIST = IRREPLACEABLE_TABLES as readonly TableName[];
const HARM_NAMES = Object.keys(HARMS);
const filesOf = ({ manifest }: PublishedSnapshot, table: string) =>
  manifest.files.filter((file) => file.table === table);

/**
 * Rows of a table: for periods every day, as a later run may join them; for `sources` their subject, as a later fetch
 * is recorded as another row.
 */
async function rowsIn(published: PublishedSnapshot, table: TableName): Promise<string[]> {
  const paths = filesOf(published, table).map(({ path }) => join(published.folder, path));
  const selected: Partial<Record<TableName, string>> = {
    sources: "SELECT DISTINCT system, tableName, year, quarter",
    enrollment_periods: "SELECT * EXCLUDE (first, last), unnest(generate_series(first, last, INTERVAL 1 DAY)) AS day",
  };
  const rows = `${selected[table] ?? "SELECT *"} FROM ${tableRows(TABLES[table], paths)}`;
  return (await connection.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM (${rows}) r`)).getRows().map(String);
}
async function allRows(published: PublishedSnapshot): Promise<Map<TableName, string[]>> {
  const read = new Map<TableName, string[]>();
  for (const table of TABLE_LIST) read.set(table, await rowsIn(published, table));
  return read;
}

/** Removes a file of each of these tables, the pointer and the newest manifest, or everything. */
const harmFiles = (place: Place, tables: readonly TableName[]) => {
  for (const table of tables) {
    const harm = HARM_NAMES[TABLE_LIST.indexOf(table) % HARM_NAMES.length] ?? "";
    for (const file of filesOf(place.base, table)) HARMS[harm]?.(place.at(file));
  }
};
const LOSSES: Readonly<Record<string, (place: Place, tables: readonly TableName[]) => void>> = {
  "a file": harmFiles,
  "a file and the documents": (place, tables) => {
    harmFiles(place, tables);
    place.loseDocuments();
  },
  "the documents": (place) => place.loseDocuments(),
  everything: ({ folder }) => {
    rmSync(folder.artifacts, { recursive: true });
    rmSync(join(folder.data, "enrollment"), { recursive: true });
  },
};
const BACKUPS: Readonly<Record<string, (place: Place, older: PublishedSnapshot) => Promise<void>>> = {
  there: (place) => place.backUp(),
  older: (place, older) => place.backUp(older),
  damaged: async (place) => {
    await place.backUp();
    const backup = join(place.folder.data, "backup");
    for (const table of TABLE_LIST)
      for (const name of readdirSync(join(backup, table))) HARMS["flipped"]?.(join(backup, table, name));
  },
  absent: async () => undefined,
};

/** Opens the newest snapshot alone, with that backup and that loss, and what its tables had. */
async function lose(loss: string, backup: string, tables: readonly TableName[] = TABLE_LIST) {
  const place = await copy("linked");
  const rows = await allRows(place.base);
  const { artifacts } = place.folder;
  const older = (await listPublished(artifacts))[1]?.name ?? "";
  await BACKUPS[backup]?.(place, await readSnapshot(artifacts, older));
  rmSync(join(layoutOf(artifacts).snapshots, `${older}.json`));
  rmSync(layoutOf(artifacts).checkouts, { recursive: true });
  LOSSES[loss]?.(place, tables);
  return { place, rows };
}

/** Every table is as it was, or the report of a failed run names it. Returns those that are not as they were. */
async function expectRestoredOrNamed(
  { place, rows }: Awaited<ReturnType<typeof lose>>,
  { report, text }: Awaited<ReturnType<Place["refresh"]>>,
): Promise<TableName[]> {
  const now = await readCurrent(place.folder.artifacts).catch(() => undefined);
  const after = report.withheld === undefined && now ? await allRows(now) : new Map<TableName, string[]>();
  const lost = TABLE_LIST.filter((table) => {
    const present = new Set(after.get(table));
    return rows.get(table)?.some((row) => !present.has(row));
  });
  if (lost.length > 0) expect(report.failed, lost.join()).toBe(true);
  if (report.withheld === undefined)
    for (const table of lost)
      expect(text, table).toMatch(new RegExp(`damaged: .*(${table}.*lost|recorded may be lost)`));
  return lost;
}

/** All tables at once, except for a single file without any copy: there one would hide the other. */
const cells = Object.keys(LOSSES).flatMap((loss) =>
  Object.keys(BACKUPS).flatMap((backup) =>
    loss === "a file" && backup === "absent"
      ? TABLE_LIST.map((table) => [loss, backup, [table]] as const)
      : [[loss, backup, TABLE_LIST] as const],
  ),
);

const losses = cells.filter(([loss]) => loss !== "everything");
it.each(someOf(losses, 2))("%s lost, backup %s: %s", async (loss, backup, tables) => {
  const lost = await lose(loss, backup, tables);
  const run = await lost.place.refresh();
  const gone = await expectRestoredOrNamed(lost, run);
  if (backup === "there") expect([gone, run.report.failed]).toEqual([[], false]);
});

describe("everything lost", () => {
  it("nothing answers: the history stays in its backup; then every row is there again, and nothing is recorded twice", async () => {
    const lost = await lose("everything", "there");
    expect((await lost.place.refresh({ down: SYSTEMS_DOWN })).report).toMatchObject({
      changed: false,
      withheld: "no product has anything",
    });
    const run = await lost.place.refresh({ hours: 3 });
    expect(await expectRestoredOrNamed(lost, run)).toEqual([]);
    expect(run.report.failed).toBe(false);
    const now = (await readCurrent(lost.place.folder.artifacts)) as PublishedSnapshot;
    expect(await rowsIn(now, "changes")).toHaveLength(lost.rows.get("changes")?.length ?? 0);
    expect(await lost.place.refresh({ hours: 4 }).then(({ report }) => [report.failed, report.changed])).toEqual([
      false,
      false,
    ]);
  });

  it("an older backup has some of it: its rows are there again, and the report says up to when", async () => {
    const { place, rows } = await lose("everything", "older");
    const { report, text } = await place.refresh({ only: ["schedule"] });
    const after = await allRows((await readCurrent(place.folder.artifacts)) as PublishedSnapshot);
    const restored = after.get("changes") ?? [];
    expect(restored.length).toBeGreaterThan(0);
    expect(rows.get("changes")).toEqual(expect.arrayContaining(restored));
    expect(report.snapshot).not.toBe(place.base.manifest.id);
    expect(text).toContain("history: what was recorded after 2019-10-10T06:00:00.000Z is in no backup");
  });

  it("the backup is damaged: each table is named, with status 1", async () => {
    const { place } = await lose("everything", "damaged");
    const { report } = await place.refresh({ only: ["schedule"] });
    expect(report.failed).toBe(true);
    for (const table of TABLE_LIST)
      expect(
        report.history?.problems.some(
          (problem) => problem.startsWith(table) && /every copy in the backups is damaged/.test(problem),
        ),
        table,
      ).toBe(true);
  });
});
