/** The changes that an event stream gets, as plain loops over all of them find them. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANGE_KINDS } from "../../../../pipeline/contract/rows/change.ts";
import {
  changeConditions,
  changeFilters,
  type ChangeValues,
  type FilteredChange,
  indexChanges,
  toSelector,
} from "../../../../server/endpoints/changes/change-filters.ts";
import { statementText } from "../../../../server/duckdb/sql.ts";
import { paramsOf } from "../../../../server/endpoints/filters.ts";
import { readQuery } from "../../../../server/response/query.ts";

const kind = fc.constantFrom(...CHANGE_KINDS.slice(0, 3));
const quarter = fc.constantFrom("Fall", "Winter");
const year = fc.constantFrom("2025", "2026");
const department = fc.constantFrom("MATH", "I&CSCI", "DANCE");
/** A few neighbouring codes, so that the ends of ranges are met. */
const code = fc.integer({ min: 1, max: 5 });
const NAMES = ["a, b", "a, bb", "ab, b", "ba, a", "a", "ab", "a,", ", b", ""];
const name = fc.constantFrom(...NAMES);

const row: fc.Arbitrary<FilteredChange> = fc.record({
  year,
  quarter,
  departmentKey: department,
  courseNumberKey: fc.constantFrom("2a", "h3"),
  sectionCode: code,
  instructorKeys: fc.array(name, { maxLength: 2 }),
  kind,
});

const range = fc.tuple(code, code).map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) }));
const few = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { minLength: 1, maxLength: 2 });
const values = fc.record(
  {
    since: fc.constant("2026-11-20"),
    year,
    quarter,
    department: few(department),
    courseNumber: few(fc.constantFrom("2A", "2a", "H3")),
    sectionCodes: few(range),
    instructorName: fc.constantFrom(...NAMES, "b", " A, ", "a ,", ",", " Á, B", "a, b, "),
    kind: few(kind),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ChangeValues>;

function isNamed(key: string, given: string): boolean {
  const wanted = given.trim().toLowerCase().replace("á", "a");
  const [part = "", first] = wanted.split(",");
  const [last = ""] = key.split(",");
  if (first === undefined) return last.includes(part);
  return first.trim() === "" ? last === part : key.startsWith(wanted);
}

/** A value that is absent is no condition. */
function isWanted(change: FilteredChange, asked: ChangeValues): boolean {
  const { sectionCodes, instructorName } = asked;
  const tests = [
    [asked.year, asked.year === change.year],
    [asked.quarter, asked.quarter === change.quarter],
    [asked.department, asked.department?.includes(change.departmentKey)],
    [asked.courseNumber, asked.courseNumber?.some((one) => one.toLowerCase() === change.courseNumberKey)],
    [sectionCodes, sectionCodes?.some(({ low, high }) => !(change.sectionCode < low) && !(high < change.sectionCode))],
    [instructorName, change.instructorKeys.some((key) => isNamed(key, instructorName ?? ""))],
    [asked.kind, asked.kind?.includes(change.kind)],
  ] as const;
  return tests.every(([given, holds]) => given === undefined || holds);
}

describe("a selection of changes", () => {
  it("has those that pass every filter, in their order", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), values, (rows, asked) => {
        expect(toSelector(asked)(indexChanges(rows))).toEqual(rows.filter((one) => isWanted(one, asked)));
      }),
      { numRuns: 400 },
    );
  });

  it.each(Object.keys(changeFilters).filter((one) => one !== "since" && one !== "until"))("of one %s", (filter) => {
    const one = values.map((asked) => ({ [filter]: asked[filter as keyof ChangeValues] }) as ChangeValues);
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), one, (rows, asked) => {
        expect(toSelector(asked)(indexChanges(rows))).toEqual(rows.filter((change) => isWanted(change, asked)));
      }),
      { numRuns: 200 },
    );
  });

  const change = (sectionCode: number, departmentKey: string): FilteredChange => ({
    ...{ year: "2026", quarter: "Fall", courseNumberKey: "2a", instructorKeys: [], kind: "status" },
    ...{ sectionCode, departmentKey },
  });
  const index = indexChanges([change(1, "MATH"), change(2, "DANCE"), change(2, "MATH")]);
  const [first, second, third] = index.rows;

  it("of one section or one department looks at no other rows", () => {
    const onlyGroups = { ...index, rows: [] };
    const select = (asked: ChangeValues) => toSelector(asked)(onlyGroups);
    expect(select({ sectionCodes: [{ low: 2, high: 2 }] })).toEqual([second, third]);
    expect(select({ sectionCodes: [{ low: 2, high: 2 }], department: ["MATH"] })).toEqual([third]);
    expect(select({ department: ["MATH"] })).toEqual([first, third]);
    expect([select({ sectionCodes: [{ low: 9, high: 9 }] }), select({ department: ["LAW"] })]).toEqual([[], []]);
  });

  it("without filters is all rows, not a copy of them", () => {
    expect(toSelector({})(index)).toBe(index.rows);
    expect(toSelector({ since: "2026-11-20", until: "2026-11-21" })(index)).toBe(index.rows);
  });
});

it("of published changes every filter is a condition, but the moments, which select files", () => {
  const query = "since=2026-11-20&until=2026-11-21&year=2026&department=MATH&kind=status,waitlist&instructorName=B,";
  const { values: asked, problems } = readQuery(new URLSearchParams(query), paramsOf(changeFilters));
  expect(problems).toEqual([]);
  const conditions = changeConditions(asked);
  expect(conditions.map(({ values: bound }) => bound)).toEqual([
    ["2026"],
    ["MATH"],
    ["\nb\n"],
    [["status", "waitlist"]],
  ]);
  // Over the columns as they are published.
  expect(statementText(conditions[1] ?? { pieces: [], values: [] })).toContain("upper(replace(department, ' ', ''))");
  expect(changeConditions({})).toEqual([]);
});
