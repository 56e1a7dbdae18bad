/**
 * Each notation of a person in each place that can have a text: nobody finds the person afterwards, and everything else
 * is unchanged.
 */
import { readForgotten } from "../../../pipeline/forget/tombstones.ts";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { strToU8, unzipSync, zipSync } from "fflate";
import { expect, it } from "vitest";
import type { Change } from "../../../pipeline/contract/rows/change.ts";
import { findRemains } from "../../../pipeline/forget/remains.ts";
import { rowsWithoutForgotten } from "../../../pipeline/forget/file-rows.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { backUpDaily } from "../../../pipeline/backup/backup.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { someOf } from "../../support/extent.ts";
import { publishRows } from "../../support/published/published.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "../publish/scratch.ts";
import { forgetIn, NOW } from "./forget-world.ts";
import { NOTATIONS, type Person, traceOf } from "./notations.ts";

const PERSON: Person = {
  first: "Wren",
  middle: "Ida",
  last: "Quillfeather",
  netid: "wquillfe",
  email: "wren.q@example.edu",
};
const { connection } = await scratchDatabase();
const scratch = scratchFolder();
const place = { artifacts: join(scratch, "artifacts"), data: join(scratch, "data"), lake: join(scratch, "lake") };

/** Each text has words before and after the person that must stay. Names in texts have a test of their own. */
const TEXTS = someOf(NOTATIONS, 16).map(([, write], n) => `<i>Ask ${n}</i>, ${write(PERSON)}; or ROE, R. ${n}.`);
const isLeft = (text: string, n: number) => text.includes(`<i>Ask ${n}</i>`) && text.includes(`; or ROE, R. ${n}.`);
/** Text without markup for a workbook is a separate text. */
const CELLS = TEXTS.filter((text) => !text.replace(/<i>Ask \d+<\/i>/, "").includes("<"));
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const sheet = TEXTS.map((text, n) => `2024,${10_000 + n},"${text.replaceAll('"', '""')}"\n`).join("");
const workbook = zipSync({
  "xl/sharedStrings.xml": strToU8(`<sst>${CELLS.map((text) => `<si><t>${escaped(text)}</t></si>`).join("")}</sst>`),
});

const sections = TEXTS.map((text, n) =>
  sectionRow({
    sectionCode: String(10_000 + n),
    instructors: n % 2 === 0 ? ["QUILLFEATHER, W."] : ["QUILLFEATHER, W.I.", "ROE, R."],
    sectionComment: text,
    courseComment: `${text} x`,
    prerequisiteLink: n === 0 ? "https://example.edu/~wquillfe" : "",
  }),
);
const change = (n: number, more: Partial<Change>): Change => ({
  year: "2024",
  quarter: "Fall",
  month: "2024-10",
  at: new Date(Date.UTC(2024, 9, 1, 0, 0, n)).toISOString(),
  since: "2024-09-30T00:00:00.000Z",
  snapshot: "0123456789abcdef",
  sectionCode: String(10_000 + n),
  department: "DANCE",
  courseNumber: "10",
  instructors: ["ROE, R."],
  kind: "other",
  field: "sectionComment",
  before: "none",
  after: null,
  ...more,
});

async function build(): Promise<void> {
  const { artifacts, data, lake } = place;
  await publishRows(
    artifacts,
    {
      sections,
      headings: headingsOf(sections).map((heading) => ({
        ...heading,
        deptComment: TEXTS.join(" "),
        schoolComment: TEXTS.toReversed().join("<br>"),
        sectionCodeRangeComments: TEXTS,
        courseNumberRangeComments: TEXTS.map((text) => `${text} y`),
      })),
      grades: [gradeRow({ year: "2024", instructors: ["QUILLFEATHER, W."], exportFile: "Wren_Quillfeather 2024.csv" })],
      instructors: [
        personRow(),
        personRow({
          netid: PERSON.netid,
          name: "Wren Quillfeather",
          shortenedName: "QUILLFEATHER, W.",
          email: PERSON.email,
        }),
      ],
      courses: TEXTS.map((text, n) =>
        courseRow({ id: `DANCE${n}`, courseNumber: String(n), description: text, restriction: `${text} z` }),
      ),
      changes: TEXTS.flatMap((text, n) => [
        change(n, { after: text }),
        change(n + 1000, { kind: "added", field: "section", before: null, after: JSON.stringify(sections[n]) }),
      ]),
    },
    { now: NOW, derive: true },
  );
  const published = await readCurrent(artifacts);
  if (published) await backUpDaily({ dataDir: data, published, now: NOW });
  await exportSnapshot(artifacts, openFolderStore(lake), { now: NOW });
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(data, path, ".."), { recursive: true });
    writeFileSync(join(data, path), content);
  };
  writeFileSync(join(artifacts, "report.json"), JSON.stringify({ notes: TEXTS }));
  writeFileSync(join(artifacts, "report.txt"), TEXTS.join("\n"));
  write("grades/mine.csv", sheet);
  write("grades/mine.csv.gz", gzipSync(sheet));
  write("grades/mine.xlsx", workbook);
  write("grades/Quillfeather, W. 2023.csv", "year\n2023\n");
  write("enrollment/mine.csv", sheet);
  write(`exports/office/files/${"a".repeat(64)}`, sheet);
}

/** The texts of all values in the Parquet files below a folder, without those of a snapshot that is no more. */
async function valuesBelow(folder: string): Promise<string[]> {
  const paths = filesBelow(folder).filter((path) => path.endsWith(".parquet") && !path.includes("_delta_log"));
  const texts: string[] = [];
  for (const path of paths) {
    const read = await connection.runAndReadAll(
      `SELECT to_json(r)::VARCHAR FROM read_parquet('${path}', hive_partitioning = false) r`,
    );
    for (const text of read.getColumnsJS()[0] ?? [])
      JSON.parse(text as string, (_, value: unknown) => {
        if (typeof value === "string") texts.push(value);
        return value;
      });
  }
  return texts;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const contentOf = (path: string): string => {
  const bytes = readFileSync(path);
  if (path.endsWith(".gz")) return gunzipSync(bytes).toString();
  if (!path.endsWith(".xlsx")) return bytes.toString();
  return Object.values(unzipSync(bytes))
    .map((entry) => Buffer.from(entry).toString())
    .join("\n");
};

it("no place has any notation, and whatever stood around it is there", async () => {
  await build();
  expect(await forgetIn(place, { netid: PERSON.netid })).toHaveLength(1);
  for (const root of [place.artifacts, place.data, place.lake]) {
    const left = (await valuesBelow(root)).filter((text) => traceOf(PERSON, text));
    expect(left.slice(0, 3), root).toEqual([]);
    const named = filesBelow(root).filter((path) => traceOf(PERSON, path));
    expect(named).toEqual([]);
    const texts = filesBelow(root).filter((path) => /\.(json|txt|csv|gz|xlsx)$|files\/a/.test(path));
    expect(texts.filter((path) => traceOf(PERSON, contentOf(path)))).toEqual([]);
  }
  const values = await valuesBelow(place.artifacts);
  for (const n of TEXTS.keys()) {
    // Comments, course comments, both lists, descriptions, restrictions, changes, JSON in changes, and the two long
    // comments.
    expect(values.filter((text) => isLeft(text, n)).length, TEXTS[n]).toBeGreaterThanOrEqual(10);
    for (const path of ["grades/mine.csv", "grades/mine.csv.gz", "enrollment/mine.csv"])
      expect(isLeft(contentOf(join(place.data, path)), n), `${path} ${TEXTS[n]}`).toBe(true);
  }
  const notes = JSON.parse(readFileSync(join(place.artifacts, "report.json"), "utf8")) as { notes: string[] };
  expect(notes.notes.every(isLeft)).toBe(true);
  expect(readFileSync(join(place.data, "grades/STAFF 2023.csv"), "utf8")).toBe("year\n2023\n");
  expect(values).toContain("STAFF 2024.csv");
});

it("verify names nothing, and rows that come again, in memory or as files, are without the person", async () => {
  const forgotten = await readForgotten(place.data);
  if (!forgotten) throw new Error("there is no list");
  const { artifacts, data: dataDir } = place;
  const places = { artifacts, dataDir, connection, disk: nodeDisk };
  expect(await findRemains(places, forgotten)).toEqual([]);
  const rows = rowsWithoutForgotten(sections, forgotten);
  expect(rows.map(({ instructors }) => instructors)).toEqual(
    sections.map((_, n) => [n % 2 === 0 ? "STAFF" : "ROE, R."]),
  );
  expect(rows.filter((row) => traceOf(PERSON, JSON.stringify(row)))).toEqual([]);
  expect(rows.every(({ sectionComment }, n) => isLeft(sectionComment, n))).toBe(true);
  expect(await forgetIn(place, { netid: PERSON.netid })).toBe("gone");
  expect(await forgetIn(place, {})).toBe("gone");
});
