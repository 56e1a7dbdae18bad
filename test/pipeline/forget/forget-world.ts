/** A world of three snapshots with two people, whom everything names that can name anybody. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { strToU8, zipSync } from "fflate";
import { expect } from "vitest";
import type { Change } from "../../../pipeline/contract/rows/change.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { findDamaged } from "../../../pipeline/store/file-check.ts";
import { readCurrent, retainedSnapshots } from "../../../pipeline/store/published.ts";
import { verifySnapshot } from "../../../pipeline/store/verify.ts";
import { readPublishedVersions } from "../../../pipeline/store/versions.ts";
import { backUpDaily } from "../../../pipeline/backup/backup.ts";
import { type Disk, diskReader, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { takeDown } from "../../../pipeline/run/commands/forget.ts";
import type { Selection } from "../../../pipeline/forget/whom.ts";
import type { Store } from "../../../pipeline/store/store.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { placesWith } from "../../support/decoded-bytes.ts";
import { once } from "../../support/once.ts";
import { type PublishedRows, publishRows } from "../../support/published/published.ts";
import { courseRow, matchesOf, personRow } from "../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { historyRow, periodRows } from "../../server/response/representations/history-row.ts";
import { newestVersion, readVersion } from "../lake/delta-reader.ts";
import { gradeRow } from "../publish/scratch.ts";

export const NOW = new Date("2024-10-03T18:00:00Z");
/** The texts that identify the person who is taken down. */
export const GONE = ["Wren Quillfeather", "QUILLFEATHER", "wquillfe"] as const;
export const WITHDRAWN = "withdrawn-2023.csv";

const [GOES, STAYS] = ["QUILLFEATHER, W.", "AMBERLEY, R."];
const sheet = (name: string) => `year,section,instructor\n2024,10000,"${name}"\n2024,10001,"AMBERLEY, ROBIN"\n`;
const hashOf = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const kept = sheet("QUILLFEATHER, WREN");
const workbook = zipSync({
  "xl/sharedStrings.xml": strToU8("<sst><si><t>Wren Quillfeather</t></si><si><t>Robin Amberley</t></si></sst>"),
});
const withdrawn = sheet("AMBERLEY, ROBIN");

function rowsOf(version: number): PublishedRows {
  const sections = [
    sectionRow({ sectionCode: "10000", instructors: [GOES] as string[], maxCapacity: String(30 + version) }),
    sectionRow({
      sectionCode: "10001",
      instructors: [GOES, STAYS] as string[],
      sectionComment: "Ask Wren Quillfeather (wquillfeather@example.edu) first.",
      prerequisiteLink: "https://example.edu/~wquillfe/before",
    }),
    sectionRow({ sectionCode: "10002", instructors: [STAYS] as string[] }),
  ];
  const other = [sectionRow({ year: "2023", sectionCode: "20000", instructors: [STAYS] as string[] })];
  const people = [
    personRow({ courseHistory: { "DANCE 10": ["2024 Fall"] } }),
    personRow({
      netid: "wquillfe",
      name: "Wren Quillfeather",
      shortenedName: GOES as string,
      email: "wquillfeather@example.edu",
    }),
  ];
  const change = (kind: Change["kind"], n: number, more: Partial<Change>): Change => ({
    year: "2024",
    quarter: "Fall",
    month: "2024-10",
    at: new Date(Date.UTC(2024, 9, 1, version, n)).toISOString(),
    since: "2024-09-30T00:00:00.000Z",
    snapshot: "0123456789abcdef",
    sectionCode: "10000",
    department: "DANCE",
    courseNumber: "10",
    instructors: [GOES as string],
    kind,
    field: kind,
    before: null,
    after: null,
    ...more,
  });
  const grades = [
    gradeRow({
      year: "2024",
      sectionCode: "10000",
      instructors: [GOES as string],
      exportFile: "kept.csv",
      exportSha256: hashOf(kept),
    }),
    gradeRow({
      year: "2024",
      sectionCode: "10002",
      instructors: [STAYS as string],
      exportFile: "kept.csv",
      exportSha256: hashOf(kept),
    }),
    gradeRow({
      year: "2023",
      sectionCode: "20000",
      instructors: [STAYS as string],
      exportFile: WITHDRAWN,
      exportSha256: hashOf(withdrawn),
    }),
  ];
  const source = (name: string, year: string, sha256: string) => ({
    system: "records",
    name,
    tableName: "grades",
    year,
    quarter: null,
    sha256,
    fetchedAt: NOW.toISOString(),
    rows: 2,
  });
  return {
    sections: [...sections, ...other],
    headings: headingsOf([...sections, ...other]),
    grades,
    instructors: people,
    courses: [courseRow({ instructorHistory: ["ramberley", "wquillfe"], description: "Made by Wren Quillfeather." })],
    section_instructors: matchesOf([...sections, ...other], people),
    larc: [
      {
        year: "2024",
        quarter: "Fall",
        courseNumber: "DANCE 10",
        courseName: "Movement",
        sections: [
          { day: "MW", time: "9:00-9:50a", instructor: "Wren Quillfeather", building: "ON LINE" },
          { day: "F", time: "9:00-9:50a", instructor: "Robin Amberley", building: "ON LINE" },
        ],
      },
    ],
    enrollment_history: [{ ...historyRow("10000"), instructors: [GOES as string] }, historyRow("10001")],
    enrollment_periods: periodRows("10000", [["2019-09-01", "2019-09-02", String(version)]]),
    changes: [
      change("instructors", 0, { before: '["STAFF"]', after: JSON.stringify([GOES]) }),
      change("instructors", 1, {
        before: JSON.stringify([STAYS]),
        after: JSON.stringify([STAYS, GOES]),
        instructors: [STAYS, GOES] as string[],
      }),
      change("instructors", 2, {
        before: JSON.stringify([GOES]),
        after: JSON.stringify([STAYS]),
        instructors: [STAYS as string],
      }),
      change("added", 3, { field: "section", after: JSON.stringify(sections[0]) }),
      change("status", 4, { before: "OPEN", after: "FULL" }),
    ],
    sources: [source("kept.csv", "2024", hashOf(kept)), source(WITHDRAWN, "2023", hashOf(withdrawn))],
  };
}

export interface Place {
  readonly artifacts: string;
  readonly data: string;
  readonly lake: string;
}

const placeIn = (folder: string): Place => ({
  artifacts: join(folder, "artifacts"),
  data: join(folder, "data"),
  lake: join(folder, "lake"),
});

/** The world as it is published once for all files of the process. */
const publishedWorld = once(async () => {
  const template = mkdtempSync(join(tmpdir(), "forget-world-"));
  const place = placeIn(template);
  const publish = async ({ artifacts, data, lake }: Place, version: number) => {
    const now = new Date(Date.UTC(2024, 9, 1 + version, 12));
    await publishRows(artifacts, rowsOf(version), { now, derive: true });
    const published = await readCurrent(artifacts);
    if (published) await backUpDaily({ dataDir: data, published, now });
    await exportSnapshot(artifacts, openFolderStore(lake), { now, checkpointInterval: 2 });
  };
  for (const version of [0, 1, 2]) await publish(place, version);
  const { artifacts, data } = place;
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, content);
  };
  write(join(artifacts, "report.json"), '{"notes":["two people: Wren Quillfeather, Robin Amberley"]}');
  write(join(artifacts, "report.txt"), `  dropped: "QUILLFEATHER, W." in ${WITHDRAWN}\n`);
  const exports = join(data, "exports/office");
  for (const bytes of [kept, workbook, withdrawn]) write(join(exports, "files", hashOf(bytes)), bytes);
  write(join(exports, "exports.json"), "{}");
  // The remains of a killed backup.
  write(join(data, "backup/.drafts/0"), kept);
  write(join(data, "grades/mine.csv"), kept);
  write(join(data, "grades/mine.csv.gz"), gzipSync(kept));
  write(join(data, "grades", WITHDRAWN), withdrawn);
  write(join(data, "landing/schedule/2024-Fall/page.xml"), `<instructor>${GOES}</instructor>`);
  write(join(data, "landing/schedule/2024-Fall/page.xml.gz"), gzipSync(`<instructor>${GOES}</instructor>`));
  return { template, publish };
});

function copyOf(template: string, scratch: string): Place {
  const folder = mkdtempSync(join(scratch, "copy-"));
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return placeIn(folder);
}

/** The world after the person was taken down. */
const worldWithout = once(async () => {
  const place = copyOf((await publishedWorld()).template, tmpdir());
  expect(await forgetIn(place, { netid: "WQuillfe" })).toHaveLength(1);
  return join(place.data, "..");
});

/** Copies of the world below `scratch`, as it was published and without the person. */
export async function openWorld(scratch: string) {
  const { template, publish } = await publishedWorld();
  return {
    publish,
    copy: () => copyOf(template, scratch),
    copyWithout: async () => copyOf(await worldWithout(), scratch),
  };
}

/** `make forget`, agreed to. */
export function forgetIn(
  { artifacts, data, lake }: Place,
  selection: Selection,
  {
    disk = nodeDisk,
    store = openFolderStore(lake, disk),
    agrees = true,
    isDryRun = false,
    onLines,
  }: {
    disk?: Disk;
    store?: Store;
    agrees?: boolean;
    isDryRun?: boolean;
    onLines?: (lines: readonly string[]) => void;
  } = {},
): ReturnType<typeof takeDown> {
  const config = { artifactsDir: artifacts, dataDir: data };
  const ask = (lines: readonly string[]): Promise<boolean> => {
    onLines?.(lines);
    return Promise.resolve(agrees && !isDryRun);
  };
  return takeDown(config, selection, {
    ask,
    isDryRun,
    log: silentLog,
    now: () => NOW,
    disk,
    store,
  });
}

export const placesNaming = (connection: DuckDBConnection, { artifacts, data, lake }: Place): Promise<string[]> =>
  placesWith(connection, [artifacts, data, lake], GONE);

/** What must be right in any state in which nothing is under way. */
export async function problemsOf(connection: DuckDBConnection, { artifacts, lake }: Place): Promise<string[]> {
  const problems: string[] = [];
  const current = await readCurrent(artifacts);
  if (!current) return ["nothing is published"];
  problems.push(...(await verifySnapshot(connection, current)).map(({ path, problem }) => `${path}: ${problem}`));
  for (const { folder, manifest } of await readPublishedVersions(artifacts))
    for (const { file, problem } of await findDamaged(folder, manifest.files, diskReader))
      problems.push(`${file.path} of ${manifest.id}: ${problem}`);
  if ((await retainedSnapshots(current)).length !== 3) problems.push("a retained snapshot is lost");
  for (const table of ["sections", "changes", "grades", "instructors"]) {
    const newest = newestVersion(join(lake, table));
    const published = current.manifest.files.flatMap((file) => (file.table === table ? [file.path] : []));
    const exported = (await readVersion(connection, join(lake, table), newest)).map(({ path }) => `${table}/${path}`);
    if (exported.sort().join() !== published.sort().join())
      problems.push(`the newest ${table} are not what is published`);
    for (let version = 0; version <= newest; version++)
      for (const { path, size } of await readVersion(connection, join(lake, table), version)) {
        const at = join(lake, table, path);
        if (!existsSync(at) || readFileSync(at).length !== size)
          problems.push(`version ${version} of ${table} lacks ${path}`);
      }
  }
  return problems;
}
