/** What the rows of an explanation's statement must be, given the response itself. */
import { expect } from "vitest";
import { weekOf } from "../../../../server/endpoints/week.ts";

type Row = Record<string, unknown>;

export interface Explained {
  readonly sql: string;
  readonly rows: number;
  readonly grades?: readonly Row[];
}

const pick = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]));

/** The sections with all that stands above them. */
export function sectionsIn({ schools }: Row): Row[] {
  let rows = schools as Row[];
  for (const name of ["departments", "courses", "sections"])
    rows = rows.flatMap(({ [name]: children, ...above }) =>
      (children as Row[]).map((child) => ({ ...above, ...child })),
    );
  return rows;
}

const SECTION = ["year", "quarter", "sectionCode"] as const;

type Comparison = (rows: readonly Row[], response: never, explained: Explained, address: string) => void;

const equal = (rows: readonly Row[], expected: readonly unknown[]): void => expect(rows).toEqual(expected);
/** Of a course the tree of objects is in the table only. */
const asServed = ({ requirementTree: _tree, ...row }: Row): Row =>
  "prerequisiteTree" in row
    ? { ...row, prerequisiteTree: JSON.parse(row["prerequisiteTree"] as string) as unknown }
    : row;
const listed: Comparison = (rows, response: readonly Row[]) => equal(rows.map(asServed), response);
const byId: Comparison = (rows, response: Row) => equal(rows.map(asServed), [response]);

/** By path. Each has seen that the numbers of rows agree. */
export const COMPARISONS: Readonly<Record<string, Comparison>> = {
  "/schedule"(rows, response: Row) {
    const sections = sectionsIn(response);
    equal(
      rows.map((row) => pick(row, Object.keys(sections[0] ?? {}))),
      sections,
    );
  },
  "/schedule/depts": listed,
  "/schedule/terms": listed,
  "/grades/raw"(rows, response: readonly Row[], { grades = [] }) {
    const served = Object.keys(response[0] ?? {});
    equal(
      rows.map((row) => pick(row, served)),
      response,
    );
    equal(
      grades,
      rows.map((row) => ({
        ...pick(row, SECTION),
        file: row["exportFile"],
        sha256: row["exportSha256"],
        sheet: row["exportSheet"],
        row: row["exportRow"],
      })),
    );
  },
  "/grades/aggregate"(rows, { sectionList, gradeDistribution }: Record<string, Row[]>, { grades = [] }) {
    equal(rows, [gradeDistribution]);
    equal(
      grades.map((row) => pick(row, SECTION)),
      (sectionList ?? []).map((section) => pick(section, SECTION)),
    );
  },
  "/grades/options": byId,
  "/grades/aggregateByCourse": listed,
  "/grades/aggregateByOffering": listed,
  "/instructors": listed,
  "/instructors/all": listed,
  "/instructors/:id": byId,
  "/courses": listed,
  "/courses/all": listed,
  "/courses/:id": byId,
  "/week"(rows, response: Row, { sql }, address) {
    const date = new URLSearchParams(address.split("?")[1]);
    const two = (name: string) => (date.get(name) ?? "").padStart(2, "0");
    // Without a date it is about today, which the statement says.
    const day = date.get("year") ? `${two("year")}-${two("month")}-${two("day")}` : /\d{4}-\d{2}-\d{2}/.exec(sql)?.[0];
    expect(weekOf(day ?? "", rows as never)).toEqual(response);
    expect(rows.length).toBe((response["quarters"] as string[]).filter((quarter) => quarter !== "N/A").length);
  },
  "/calendar": (rows, response: Row | Row[]) => equal(rows, [response].flat()),
  "/larc"(rows, response: readonly Row[]) {
    equal(
      rows.map(({ sections, ...row }) => ({ courseInfo: pick(row, ["courseNumber", "courseName"]), sections })),
      response,
    );
  },
  "/enrollmentHistory": listed,
  "/changes": listed,
  "/search"(rows, response: readonly Row[]) {
    equal(
      rows.map((row) => pick(row, ["kind", "id"])),
      response.map((row) => pick(row, ["kind", "id"])),
    );
    for (const { published } of rows) expect(published).toBeTypeOf("object");
  },
};
