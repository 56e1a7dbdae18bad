/**
 * Drift, and how the parsers react: every element, attribute, heading, field and class that they declare, renamed and
 * beside unknown fields. Either nothing can be read, or a column that the field fills is empty in every row, and the
 * new name is counted: a guard needs both to refuse it (test/pipeline/products/guard), and to explain why.
 */
import { describe, expect, it } from "vitest";
import { createSystems, SYSTEM_PATHS, type CampusUrl } from "../../../pipeline/campus/listening/systems.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { createUnknownFields, type KnownField, type UnknownField } from "../../../pipeline/contract/source-fields.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { COURSE_LABELS, toCatalogueCourses } from "../../../pipeline/normalize/catalogue/course.ts";
import { toLarcCourses } from "../../../pipeline/normalize/larc.ts";
import { toHeadings } from "../../../pipeline/normalize/schedule/heading.ts";
import { toLandedSections } from "../../../pipeline/normalize/schedule/section.ts";
import {
  CATALOGUE_FIELDS,
  parseCatalogueDepartment,
  parseCatalogueIndex,
} from "../../../pipeline/parse/catalogue-html.ts";
import { DIRECTORY_FIELDS, parseDirectoryAnswer } from "../../../pipeline/parse/directory-json.ts";
import { parseLarcPage } from "../../../pipeline/parse/larc-html.ts";
import { SCHEDULE_FIELDS } from "../../../pipeline/parse/schedule/schedule-elements.ts";
import { parseScheduleXml } from "../../../pipeline/parse/schedule/schedule-xml.ts";
import { parseGradeSheet } from "../../../pipeline/parse/sheets/grades-sheet.ts";
import { sheetFields } from "../../../pipeline/parse/sheets/sheet-header.ts";
import { toForm } from "../../../pipeline/sources/schedule.ts";
import { besideStrangers } from "../../support/upstream/strangers.ts";
import { commented, FALL, NEXT_FALL, readSmallWorld } from "../../support/worlds/small-world.ts";
import { createExports } from "../../support/worlds/world-exports.ts";
import { toPageData } from "../../support/worlds/world-pages.ts";

type Change = (body: string) => string;
type Row = Readonly<Record<string, unknown>>;

/** The result of reading a system's pages; without rows when they cannot be read. */
interface Read {
  readonly rows: readonly Row[];
  readonly unknown: readonly UnknownField[];
  /** Why, where that is said. */
  readonly words: string;
}

const world = commented(readSmallWorld());
const systems = createSystems(toPageData(world), createExports(world, { records: "csv", recordsSplit: "year" }));

const answers = new Map<string, string>();
/** A system's answer below its path. */
function pageOf(url: CampusUrl, rest: string, params: URLSearchParams): string {
  const key = `${url} ${rest} ${params}`;
  const method = params.size > 0 ? "POST" : "GET";
  const page = () =>
    systems
      .find(({ path }) => path === SYSTEM_PATHS[url])
      ?.answer({ rest, params: new Map(params), method, headers: {} });
  const body = answers.get(key) ?? Buffer.from(page()?.body ?? "").toString();
  answers.set(key, body);
  return body;
}

/** The same answer beside unknown fields, and changed. */
function answer(url: CampusUrl, rest: string, rewrite: Change, params = new URLSearchParams()): string {
  const system = url.replace("_URL", "").toLowerCase();
  const [fault] = besideStrangers({ system, rewrite }).filter(({ match }) => match?.system === system);
  return fault?.rewrite?.(pageOf(url, rest, params)) ?? "";
}

/** A response that is refused has no rows. */
function readOrRefused(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UpstreamBadResponse)) throw error;
    return { rows: [], unknown: [], words: error.message };
  }
}

const isFilled = (value: unknown): boolean => {
  if (typeof value === "string") return !["", "{}", "[]"].includes(value.trim());
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
};
/** Values that are derived when nothing is printed. */
const FILLED: Readonly<Record<string, (row: Row) => boolean>> = {
  status: ({ status }) => status !== "OPEN" && status !== "FULL",
  "finalExam.examStatus": ({ finalExam }) => (finalExam as Row)["examStatus"] === "SCHEDULED_FINAL",
  "meetings.room": ({ meetings }) =>
    (meetings as Row[]).some(({ bldg }) => (bldg as string[]).some((at) => / /.test(at))),
};
const partsOf = (value: unknown, [part, ...more]: string[]): unknown[] => {
  if (part === undefined) return [value];
  const holders = Array.isArray(value) ? value : [value];
  return holders.flatMap((holder) => partsOf((holder as Row | undefined)?.[part], more));
};
const countFilled = (rows: readonly Row[], column: string): number =>
  rows.filter((row) => FILLED[column]?.(row) ?? partsOf(row, column.split(".")).some(isFilled)).length;

const emptiedIn = (before: Read, now: Read, columns: readonly string[]): string[] =>
  columns.filter((column) => countFilled(before.rows, column) >= 3 && countFilled(now.rows, column) === 0);

const replaced =
  (from: string | RegExp, to: string): Change =>
  (body) =>
    body.replaceAll(from, to);
const unchanged: Change = (body) => body;
const ofClasses = (name: string) => replaced(new RegExp(`(class="[^"]*)\\b${name}(?=[\\s"])`, "g"), `$1new-${name}`);
const named = ({ unknown }: Read) => unknown.map(({ kind, place, name }) => ({ kind, place, name }));

describe("the schedule's XML has another name for", () => {
  const readTerm = (term: Term, change: Change): Read =>
    readOrRefused(() => {
      const asked = toForm({ term, codes: [{ low: 0, high: 97_999 }] }, "Display XML Results");
      const { schools, unknown } = parseScheduleXml(answer("SCHEDULE_URL", "", change, asked), term);
      const sections = toLandedSections(term, schools, createTally("schedule"), { keepHidden: false });
      const above = new Map(toHeadings(term, schools).map((row) => [`${row.schoolName} ${row.deptCode}`, row]));
      // A heading's columns stand beside those of its sections.
      const rows = sections.map((row) => ({ ...above.get(`${row.schoolName} ${row.deptCode}`), ...row }));
      return { rows, unknown, words: "" };
    });
  const renamed = ({ kind, place, name }: KnownField) =>
    kind === "element"
      ? replaced(new RegExp(`(</?)${name}(?=[\\s/>])`, "g"), `$1new_${name}`)
      : replaced(new RegExp(`(<${place}\\b[^>]*?\\s)${name}=`, "g"), `$1new_${name}=`);
  const before = [FALL, NEXT_FALL].map((term) => ({ term, read: readTerm(term, unchanged) }));
  const fields = SCHEDULE_FIELDS.filter(({ fills }) => fills.length > 0);

  it.each(fields)("the $kind $name of $place", (field) => {
    const emptied = before.flatMap(({ term, read }) => {
      const now = readTerm(term, renamed(field));
      expect(read.rows.length).toBeGreaterThan(50);
      // Without a code, sections cannot be distinguished.
      if (field.name === "course_code") expect(now.rows).toEqual([]);
      else expect(named(now)).toContainEqual({ kind: field.kind, place: field.place, name: `new_${field.name}` });
      return emptiedIn(read, now, field.fills);
    });
    // The form has the departments' names too.
    if (field.name !== "dept_name") expect(emptied).not.toEqual([]);
  });
});

describe("the grade sheets have another heading for", () => {
  const files = [...answer("RECORDS_URL", "", unchanged).matchAll(/[\w-]+\.csv/g)].map(([name]) => name);
  async function readSheets(change: Change): Promise<Read> {
    const [tally, unknown] = [createTally("grades"), createUnknownFields()];
    const rows: Row[] = [];
    for (const name of new Set(files))
      rows.push(...(await parseGradeSheet(name, Buffer.from(answer("RECORDS_URL", name, change)), tally, unknown)));
    return { rows, unknown: unknown.list(), words: tally.report("published", 0).damaged.join("\n") };
  }
  const renamed =
    (name: string): Change =>
    (body) =>
      body.replace(/^.*AcadTerm.*$/m, (line) =>
        line
          .split(",")
          .map((heading) => (heading === name ? "Of late" : heading))
          .join(","),
      );

  const asExported = readSheets(unchanged);

  it.each(sheetFields("").filter(({ fills }) => fills.length > 0))("$name", async ({ name, fills }) => {
    const before = await asExported;
    const now = await readSheets(renamed(name));
    expect(before.rows.length).toBeGreaterThan(50);
    // Another name of the same column, which no export has.
    if (answer("RECORDS_URL", files[0] ?? "", renamed(name)) === answer("RECORDS_URL", files[0] ?? "", unchanged))
      return expect(now).toEqual(before);
    if (now.rows.length === 0) return expect(now.words).toContain("Of late");
    // A cell has the names of all who taught.
    const columns = fills.map((column) => (column === "instructors" ? "instructor" : column));
    expect(emptiedIn(before, now, columns)).not.toEqual([]);
    expect(named(now)).toContainEqual({ kind: "heading", place: files[0], name: "Of late" });
  });
});

describe("the directory has another name for", () => {
  const readPeople = (change: Change): Read => {
    const unknown = createUnknownFields();
    const rows = world.instructors.flatMap(({ name }) =>
      parseDirectoryAnswer(
        answer("DIRECTORY_URL", "", change, new URLSearchParams({ uciKey: name, filter: "all" })),
        unknown,
      ).map((row) => ({ ...row })),
    );
    return { rows, unknown: unknown.list(), words: "" };
  };

  const before = readPeople(unchanged);

  it.each(DIRECTORY_FIELDS.filter(({ fills }) => fills.length > 0))("$name", ({ name, fills }) => {
    const now = readPeople(replaced(`"${name}":`, `"new${name}":`));
    expect(before.rows.length).toBeGreaterThan(20);
    if (now.rows.length > 0) expect(emptiedIn(before, now, fills)).toEqual(fills);
    expect(named(now)).toContainEqual({ kind: "field", place: "entry", name: `new${name}` });
  });
});

describe("the catalogue has another", () => {
  const readCourses = (change: Change): Read =>
    readOrRefused(() => {
      const [tally, unknown] = [createTally("catalogue"), createUnknownFields()];
      const departments = parseCatalogueIndex(answer("CATALOGUE_URL", "allcourses/", change)).map((href) => {
        const rest = href.slice(href.indexOf("allcourses/"));
        return parseCatalogueDepartment(answer("CATALOGUE_URL", rest, change), unknown);
      });
      const rows = toCatalogueCourses({ departments, requirements: [], schools: new Map() }, tally, unknown);
      return { rows, unknown: unknown.list(), words: "" };
    });
  const before = readCourses(unchanged);
  const lossOf = (now: Read, column: string): number =>
    1 - countFilled(now.rows, column) / countFilled(before.rows, column);
  const renamed = CATALOGUE_FIELDS.filter(({ fills }) => fills.length > 0);
  /** Paragraphs and details are known by their own words too. */
  const isHarmless = (name: string) => /courseblockdesc|detail-(?!code|title|hours)/.test(name);

  // The departments alternate between two markups with different classes: half of the courses are lost, or the fields
  // that they fill.
  it.each(renamed)("class for $name", ({ name, fills }) => {
    const now = readCourses(ofClasses(name));
    expect(named(now)).toContainEqual({ kind: "class", place: "courseblock", name: `new-${name}` });
    if (isHarmless(name)) expect(now.rows).toEqual(before.rows);
    else expect(Math.max(...fills.map((column) => lossOf(now, column)))).toBeGreaterThan(0.4);
  });

  it.each(COURSE_LABELS)("word for $name", ({ name, fills: [column = ""] }) => {
    const now = readCourses(replaced(name, `Concerning ${name}`));
    if (now.rows.length === before.rows.length && lossOf(now, column) === 0) return;
    expect(lossOf(now, column)).toBeGreaterThan(0.4);
    expect(JSON.stringify(named(now))).toContain("Concerning ");
  });

  it.each<[what: string, change: Change]>([
    ["class for a course's block", ofClasses("courseblock")],
    ["name for the inventory", replaced("courseinventorycontainer", "courses")],
    ["name for the index", replaced("atozindex", "index")],
    ["class for the title of a page", ofClasses("page-title")],
    ["element for paragraphs", replaced(/<(\/?)p>/g, "<$1div>")],
    ["sign for the stops in title lines", replaced(".  ", ": ")],
  ])("%s", (_what, change) => {
    expect(readCourses(change).rows.length).toBeLessThan(before.rows.length * 0.6);
  });
});

describe("the tutorials have another class for", () => {
  const term = { year: "2019", quarter: "Fall" } as const;
  const readTutorials = (change: Change): Read =>
    readOrRefused(() => {
      const rows = toLarcCourses(term, parseLarcPage(answer("LARC_URL", "201992,1", change)), createTally("larc"));
      return { rows, unknown: [], words: "" };
    });
  const before = readTutorials(unchanged);

  it.each(["tutorial-group", "card-header", "list-group", "col-lg-4", "col"])("%s", (name) => {
    const now = readTutorials(ofClasses(name));
    expect(before.rows.length).toBeGreaterThan(3);
    const columns = ["sections.day", "sections.time", "sections.instructor", "sections.building"];
    if (now.rows.length > 0) expect(emptiedIn(before, now, columns)).not.toEqual([]);
  });
});
