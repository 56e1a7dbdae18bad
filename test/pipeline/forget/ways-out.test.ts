/**
 * After a take-down nobody comes back: by live answers, restored backups, copies, dates of clients, or another initial.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startCampus } from "../../../pipeline/campus/listening/server.ts";
import { RETENTION } from "../../../pipeline/contract/retention.ts";
import { grades } from "../../../pipeline/contract/rows/grade.ts";
import { copySnapshot } from "../../../pipeline/store/copy-to-artifacts.ts";
import { keeperOf } from "../../../pipeline/forget/forget.ts";
import { findRemains } from "../../../pipeline/forget/remains.ts";
import { noTombstones, withForgotten, writeTombstones, readForgotten } from "../../../pipeline/forget/tombstones.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { openLive } from "../../../pipeline/live.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";
import { restoreBackup } from "../../../pipeline/run/commands/restore-backup.ts";
import { pointerText, readPointer, type StoredPointer } from "../../../pipeline/store/pointer.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { placesWith } from "../../support/decoded-bytes.ts";
import { openApp } from "../../support/published/opened-app.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "../publish/scratch.ts";
import { forgetIn, GONE, openWorld, NOW, type Place, placesNaming } from "./forget-world.ts";

const { connection } = await scratchDatabase();
const world = await openWorld(scratchFolder());

const gone = async () => ({ place: await world.copyWithout(), before: world.copy() });

async function verified({ artifacts, data: dataDir }: Place): Promise<string[]> {
  const forgotten = await readForgotten(dataDir);
  if (!forgotten) return [];
  const places = { artifacts, dataDir, connection, disk: nodeDisk };
  return (await findRemains(places, forgotten)).map((remain) => remain.place);
}

it("a backup of before that is put back is restored without the person, and forget removes it", async () => {
  const { before, place } = await gone();
  cpSync(join(before.data, "backup"), join(place.data, "backup"), { recursive: true, force: true });
  await restoreBackup({ artifactsDir: place.artifacts, dataDir: place.data, day: "2024-10-02", now: NOW });
  expect(await placesWith(connection, [place.artifacts], GONE)).toEqual([]);
  expect(await verified(place)).toEqual(["backups"]);
  expect(await forgetIn(place, { netid: "wquillfe" })).toHaveLength(1);
  expect(await verified(place)).toEqual([]);
  expect(await placesNaming(connection, place)).toEqual([]);
});

it("a backup from before the first release stays as it is, and is named until it is moved away", async () => {
  const place = world.copy();
  const former = join(place.data, "backup", "2020-01-01.json");
  writeFileSync(former, '{"contract":9}');
  const named =
    /backup\/2020-01-01.json is from before the first release, and whom it names cannot be checked: move it away/;
  expect(await forgetIn(place, { netid: "wquillfe" })).toEqual([
    expect.stringContaining("not gone everywhere"),
    expect.stringMatching(named),
  ]);
  expect(readFileSync(former, "utf8")).toBe('{"contract":9}');
  rmSync(former);
  expect(await forgetIn(place, {})).toHaveLength(1);
  expect(await placesNaming(connection, place)).toEqual([]);
});

it("whatever verify names goes with the next forget, with a name or without; a dry run only lists it", async () => {
  const { before, place } = await gone();
  const files = ["grades/mine.csv", "grades/mine.csv.gz", "exports"];
  for (const file of files) cpSync(join(before.data, file), join(place.data, file), { recursive: true });
  for (const name of ["report.txt", "report.json"]) cpSync(join(before.artifacts, name), join(place.artifacts, name));
  expect((await verified(place)).length).toBeGreaterThan(4);
  const selection = { name: "Wren I. Quillfeather" };
  const lines: string[] = [];
  const isDryRun = true;
  expect(await forgetIn(place, selection, { isDryRun, onLines: (shown) => lines.push(...shown) })).toBe("refused");
  expect(lines.join("\n")).toContain("data/grades/mine.csv");
  expect((await verified(place)).length).toBeGreaterThan(4);
  expect(await forgetIn(place, selection)).toHaveLength(1);
  expect(await verified(place)).toEqual([]);
  expect(await forgetIn(place, selection)).toBe("gone");
  // A snapshot that was put back by hand, with the mark of the list.
  const pointerIn = async ({ artifacts }: Place) => (await readPointer(openFolderStore(artifacts))) as StoredPointer;
  const [current, older] = [await pointerIn(place), await pointerIn(before)];
  cpSync(before.artifacts, place.artifacts, { recursive: true, verbatimSymlinks: true });
  const snapshot = { ...older.snapshot, forgotten: current.snapshot.forgotten as string };
  writeFileSync(join(place.artifacts, "current.json"), pointerText({ snapshot, retained: older.retained }));
  for (const name of ["report.txt", "report.json"]) rmSync(join(place.artifacts, name));
  expect(await verified(place)).toEqual(["snapshots"]);
  expect(await forgetIn(place, {})).toHaveLength(1);
  expect(await verified(place)).toEqual([]);
  expect(await placesWith(connection, [place.artifacts], GONE)).toEqual([]);
});

it("the same person with other initials, as another crawl has it, is nobody", async () => {
  const { place } = await gone();
  const forgotten = await readForgotten(place.data);
  if (!forgotten) throw new Error("there is no list");
  const names = [
    "QUILLFEATHER, W.I.",
    "QUILLFEATHER, W. I.",
    "QUILLFEATHER, W",
    "QUILLFEATHER, WREN",
    "QUILLFEATHER, B.",
  ];
  const rows = names.map((name, n) => gradeRow({ year: "2024", sectionCode: String(10_000 + n), instructors: [name] }));
  const staging = createStaging(place.artifacts, await readBase(place.artifacts), nodeDisk, keeperOf(forgotten));
  onTestFinished(() => staging.discard());
  const select = `SELECT * FROM ${await loadRows(connection, grades, rows)}`;
  const file = await writePartition(connection, staging, { table: grades, partition: { year: "2024" }, select });
  const read = await connection.runAndReadAll(
    `SELECT instructors FROM read_parquet('${join(staging.filesFolder, file.path)}') ORDER BY "sectionCode"`,
  );
  expect(read.getColumnsJson()[0]).toEqual([[], [], [], [], ["QUILLFEATHER, B."]]);
});

it("a copy of what still has the person is refused, by a machine with the list and by one with the data alone", async () => {
  const { before, place } = await gone();
  const store = openFolderStore(before.lake);
  const pointer = (await readPointer(store)) as StoredPointer;
  const mark = (await readForgotten(place.data))?.mark;
  const signal = new AbortController().signal;
  const copy = (artifacts: string, own?: string) =>
    copySnapshot(pointer, {
      artifacts,
      from: store,
      signal,
      now: () => NOW,
      log: silentLog,
      retain: RETENTION,
      mark: own,
    });
  const empty = join(place.data, "../empty");
  mkdirSync(empty);
  for (const [artifacts, own] of [
    [place.artifacts, undefined],
    [place.artifacts, mark],
    [empty, mark],
  ] as const)
    await expect(copy(artifacts, own)).rejects.toThrow(/still has what was taken down here/);
  expect(await placesWith(connection, [place.artifacts, empty], GONE)).toEqual([]);
  expect(existsSync(join(empty, "current.json"))).toBe(false);
});

it("a running server names nobody at its next look, and gives the response anew to a date of before the take-down", async () => {
  const place = world.copy();
  const app = await openApp(place.artifacts, () => new Date("2024-10-04T12:00:00Z"));
  onTestFinished(() => app.close());
  const paths = [
    "/instructors",
    "/schedule?year=2024&quarter=Fall&department=DANCE",
    "/grades/raw",
    "/courses",
    "/changes",
  ];
  const ask = async (path: string, since?: string) => {
    const response = await app.get(path, since === undefined ? {} : { headers: { "If-Modified-Since": since } });
    return {
      status: response.status,
      modified: response.headers.get("last-modified") ?? "",
      etag: response.headers.get("etag"),
    };
  };
  const named = [
    "/search?q=quillfeather",
    "/instructors/wquillfe",
    "/schedule?year=2024&quarter=Fall&department=DANCE",
    "/search?q=quillfeather&asOf=2024-10-02",
    "/instructors/wquillfe?asOf=2024-10-02",
    "/schedule?year=2024&quarter=Fall&department=DANCE&asOf=2024-10-02",
    "/changes",
  ];
  // A question is repeated in what says that nothing was found.
  const naming = async () => {
    const texts = await Promise.all(named.map(async (path) => ({ path, text: await (await app.get(path)).text() })));
    return texts.filter(({ text }) => /QUILLFEATHER, W|Wren Quillfeather/.test(text)).map(({ path }) => path);
  };
  expect(await naming()).toEqual(named);
  const before = await Promise.all(paths.map((path) => ask(path)));
  for (const [i, path] of paths.entries()) expect((await ask(path, before[i]?.modified)).status, path).toBe(304);
  await forgetIn(place, { netid: "wquillfe" });
  await app.update();
  expect(await naming()).toEqual([]);
  for (const [i, path] of paths.entries()) {
    const sinceBefore = await ask(path, before[i]?.modified);
    expect([sinceBefore.status, sinceBefore.modified], path).toEqual([200, "Thu, 03 Oct 2024 18:00:01 GMT"]);
    // A client that asked in the second of the take-down has the response from before it.
    expect((await ask(path, NOW.toUTCString())).status, path).toBe(200);
    expect((await ask(path, sinceBefore.modified)).status, path).toBe(304);
    expect(sinceBefore.etag, path).not.toBe(before[i]?.etag);
  }
});

it("live answers are without who is on the list, from the moment that it is", async () => {
  const dataDir = scratchFolder();
  const campus = await startCampus({ size: "standard", clock: () => new Date("2026-11-21T20:00:00Z") });
  onTestFinished(() => campus.close());
  let mark: string | undefined;
  const upstream = openLive({
    address: new URL(campus.urls.SCHEDULE_URL),
    publishedSource: () => "a test",
    publishedMark: () => mark,
    dataDir,
    timeoutMs: 30_000,
    maxBytes: 50_000_000,
    log: silentLog,
  });
  onTestFinished(() => upstream.close());
  const query = { term: { year: "2026", quarter: "Fall" as const }, department: "MATH" };
  const ask = async () => (await (await upstream.find())?.query(query))?.sections;
  const sections = (await ask()) ?? [];
  const [name = ""] = sections.flatMap(({ instructors }) => instructors).filter((instructor) => instructor !== "STAFF");
  expect(name).not.toBe("");
  const list = withForgotten(noTombstones(), { names: [name], netids: [], emails: [], files: [] }, []);
  await writeTombstones(dataDir, list, nodeDisk);
  const left = (await ask()) ?? [];
  expect(left.map(({ sectionCode }) => sectionCode)).toEqual(sections.map(({ sectionCode }) => sectionCode));
  expect(left.map(({ instructors }) => instructors)).toEqual(
    sections.map(({ instructors }) => {
      const others = instructors.filter((instructor) => instructor !== name);
      return others.length === 0 && instructors.length > 0 ? ["STAFF"] : others;
    }),
  );
  expect(JSON.stringify(left)).not.toContain(name);
  // Without the take-down list, the upstream is not requested.
  rmSync(join(dataDir, "forgotten.json"));
  mark = "0123456789abcdef";
  expect(await upstream.find()).toBeUndefined();
});
