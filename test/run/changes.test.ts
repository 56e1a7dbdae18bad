/**
 * "When a run publishes a term whose sections differ from the previous version, it records every difference"
 * (pipeline/RULES.md, Snapshots), by whole runs.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { layoutOf, nameOf } from "../../pipeline/store/layout.ts";
import { restoreBackup } from "../../pipeline/run/commands/restore-backup.ts";
import { runSql } from "../support/run-sql.ts";
import { setCurrent } from "../server/snapshot/store-damages.ts";
import { isWhole } from "../support/extent.ts";
import { HARMS } from "../support/published/damaged-base.ts";
import { openHourlyCampus } from "../support/upstream/hourly-campus.ts";
import { FALL, later } from "../support/worlds/small-world.ts";
import { isOf } from "../support/worlds/world.ts";

const campus = openHourlyCampus(["SCHEDULE_URL"]);
/** Crawls the term that changes. */
const refresh = (when: Parameters<typeof campus.refresh>[0], env: Record<string, string> = {}) =>
  campus.refresh(when, { TERMS: "2019 Fall", ...env });

const current = async () => (await readCurrent(campus.folder().artifacts)) as PublishedSnapshot;
async function rows<T>(sql: string): Promise<T[]> {
  const { artifacts, data } = campus.folder();
  let text = "";
  for await (const piece of runSql(artifacts, sql, "json", { tempFolder: join(data, "spill") })) text += piece;
  return JSON.parse(text) as T[];
}
const recorded = () =>
  rows<{ quarter: string; field: string; before: string; after: string; at: string; since: string; snapshot: string }>(
    `SELECT quarter, field, "before", "after", epoch_ms("at") AS "at", epoch_ms(since) AS since, snapshot FROM changes ORDER BY "at", sectionCode`,
  );

/** From now on a section of the current term has that many students. */
function enroll(totalEnrolled: string): void {
  const world = campus.world();
  const code = world.sections.find(isOf(FALL))?.sectionCode;
  const sections = world.sections.map((row) =>
    isOf(FALL)(row) && row.sectionCode === code ? { ...row, totalEnrolled } : row,
  );
  campus.upstream().setWorld({ ...world, sections });
}
const fileOf = async (table: string) => {
  const { folder, manifest } = await current();
  return join(folder, manifest.files.find((file) => file.table === table)?.path ?? "");
};

describe("hourly runs", () => {
  it("record what changed, since when, and in which snapshot; an hour without a change publishes nothing", async () => {
    expect((await refresh({ hours: 1 })).changed).toBe(false);
    const before = await current();
    enroll("901");
    const report = await refresh({ hours: 3 });
    expect(report).toMatchObject({ changed: true, failed: false, disk: { generations: 2, retain: "48h,60d,24m" } });
    const [change, ...others] = await recorded();
    expect(others).toEqual([]);
    expect(change).toMatchObject({ quarter: FALL.quarter, field: "numCurrentlyEnrolled.totalEnrolled", after: "901" });
    expect([change?.snapshot, new Date(Number(change?.since)), new Date(Number(change?.at))]).toEqual([
      report.snapshot,
      later({ hours: 1 })(),
      later({ hours: 3 })(),
    ]);
    const after = await current();
    expect(after.retained).toEqual([
      {
        id: before.manifest.id,
        generation: before.manifest.generation,
        createdAt: before.manifest.createdAt,
        replacedAt: after.manifest.createdAt,
      },
    ]);
    expect((await refresh({ hours: 4 })).changed).toBe(false);
    expect(await current()).toEqual(after);
  });

  it("say which crawls are behind the data: a term's row goes with its sections", async () => {
    const terms = () =>
      rows<{ term: string; fetchedAt: number; rows: number; sha256: string }>(
        `SELECT year || ' ' || quarter AS term, epoch_ms(fetchedAt) AS "fetchedAt", rows, sha256 FROM sources
         WHERE system = 'schedule' AND tableName = 'sections' ORDER BY term`,
      );
    const before = await terms();
    const published = (await current()).manifest.files.filter(({ table }) => table === "sections");
    expect(before.map(({ term, rows }) => [term, rows])).toEqual(
      published.map(({ partition: { year, quarter }, rows }) => [`${year} ${quarter}`, rows]).toSorted(),
    );
    enroll("902");
    await refresh({ hours: 2 });
    const after = await terms();
    const replaced = after.filter((row) => !before.some((old) => JSON.stringify(old) === JSON.stringify(row)));
    expect(replaced).toEqual([
      expect.objectContaining({ term: `${FALL.year} ${FALL.quarter}`, fetchedAt: later({ hours: 2 })().getTime() }),
    ]);
    expect(replaced[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("damage", () => {
  it("of recorded changes without a copy withholds everything; ALLOW_SHRINK=1 gives them up", async () => {
    enroll("903");
    await refresh({ hours: 1 });
    HARMS["flipped"]?.(await fileOf("changes"));
    rmSync(join(campus.folder().data, "backup"), { recursive: true });
    enroll("904");
    const refused = await refresh({ hours: 2 });
    expect(refused).toMatchObject({ changed: false, failed: true });
    expect(refused.withheld).toMatch(/damaged and could not be repaired/);
    expect((await refresh({ hours: 3 }, { ALLOW_SHRINK: "1" })).changed).toBe(true);
    expect(await recorded()).toMatchObject([{ before: "903", after: "904" }]);
  });

  // See recovery.test.ts for each table from a backup, and test/pipeline/publish/backup.test.ts for the content of the
  // day's backup.
  it.runIf(isWhole)("of recorded changes is repaired from the backup of the day", async () => {
    enroll("908");
    await refresh({ hours: 1 });
    const { backup, snapshot } = await refresh({ days: 1 });
    expect(backup).toMatchObject({ taken: true, problems: [] });
    const before = await recorded();
    HARMS["flipped"]?.(await fileOf("changes"));
    const report = await refresh({ days: 1, hours: 1 });
    expect(report).toMatchObject({ failed: false, changed: true, snapshot });
    expect(report.base?.files).toMatchObject([
      { outcome: expect.stringMatching(/^restored from the backup of \d{4}-\d\d-\d\d$/) },
    ]);
    expect(await recorded()).toEqual(before);
  });

  it.runIf(isWhole)(
    "that lost them is undone by hand: the backup's changes are added to those that are published",
    async () => {
      const { artifacts: artifactsDir, data: dataDir } = campus.folder();
      const [backup, aside] = [join(dataDir, "backup"), join(dataDir, "aside")];
      enroll("910");
      await refresh({ hours: 1 });
      renameSync(backup, aside);
      HARMS["flipped"]?.(await fileOf("changes"));
      enroll("911");
      const { snapshot } = await refresh({ hours: 2 }, { ALLOW_SHRINK: "1" });
      expect(await recorded()).toMatchObject([{ after: "911" }]);
      rmSync(backup, { recursive: true });
      renameSync(aside, backup);
      await restoreBackup({ artifactsDir, dataDir, day: "2099-01-01", now: later({ hours: 3 })() });
      expect(await recorded()).toMatchObject([{ after: "910" }, { after: "911" }]);
      expect((await current()).manifest.id).not.toBe(snapshot);
    },
  );

  it.runIf(isWhole)(
    "of the sources is repaired from the backup of the day: what was fetched when cannot be known again",
    async () => {
      const { id } = (await current()).manifest;
      const before = await rows("SELECT * FROM sources ORDER BY ALL");
      const path = await fileOf("sources");
      HARMS["flipped"]?.(path);
      const report = await refresh({ hours: 1 });
      expect(report).toMatchObject({ failed: false, changed: true, snapshot: id });
      expect(report.base?.files).toMatchObject([
        {
          problem: "the content has another SHA-256",
          outcome: expect.stringMatching(/^restored from the backup of \d{4}-\d\d-\d\d$/),
        },
      ]);
      expect(await rows("SELECT * FROM sources ORDER BY ALL")).toEqual(before);
    },
  );

  // See recovery.test.ts for each table without a copy.
  it.runIf(isWhole)(
    "of the sources without any copy is said, with exit status 1; the next crawls are recorded",
    async () => {
      const path = await fileOf("sources");
      HARMS["flipped"]?.(path);
      rmSync(join(campus.folder().data, "backup"), { recursive: true });
      const report = await refresh({ hours: 1 });
      expect(report).toMatchObject({ failed: true, changed: true });
      expect(readFileSync(join(campus.folder().artifacts, "report.txt"), "utf8")).toContain(basename(path));
      expect(await rows("SELECT DISTINCT system FROM sources")).toEqual([{ system: "schedule" }]);
    },
  );

  it("of the pointer: the run starts from the newest manifest, and each change is recorded once", async () => {
    enroll("905");
    const { snapshot } = await refresh({ hours: 1 });
    writeFileSync(layoutOf(campus.folder().artifacts).pointer, "{");
    expect(await refresh({ hours: 2 })).toMatchObject({ failed: false, changed: true, snapshot });
    expect(await recorded()).toMatchObject([{ after: "905", snapshot }]);
  });

  it("of the newest manifest too, without a backup: the run starts from the one before, and says that changes may be lost", async () => {
    enroll("905");
    await refresh({ hours: 1 });
    const { pointer, snapshots } = layoutOf(campus.folder().artifacts);
    for (const path of [join(snapshots, `${nameOf((await current()).manifest)}.json`), pointer])
      writeFileSync(path, "{");
    rmSync(join(campus.folder().data, "backup"), { recursive: true });
    const { changed, failed, products } = await refresh({ hours: 2 });
    expect([changed, failed]).toEqual([true, true]);
    expect(products.find(({ product }) => product === "enrollment")?.damaged.join()).toMatch(/recorded may be lost/);
    expect(await recorded()).toMatchObject([{ after: "905" }]);
  });
});

it("a schedule of another campus starts without changes", async () => {
  enroll("906");
  await refresh({ hours: 1 });
  const { folder, manifest } = await current();
  const source = { ...manifest.source, schedule: "sample campus (standard)" };
  await setCurrent(folder, { ...manifest, source });
  enroll("907");
  expect(await refresh({ hours: 2 })).toMatchObject({ failed: false, changed: true });
  expect(await recorded()).toEqual([]);
});
