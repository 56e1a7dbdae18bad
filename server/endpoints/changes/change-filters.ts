/**
 * The filters of changes (server/RULES.md, Time): over the published rows, and over the new rows from which event
 * streams select.
 */
import { type ChangeKind, CHANGE_KINDS } from "../../../pipeline/contract/rows/change.ts";
import { SNAPSHOT_ID } from "../../../pipeline/contract/as-of.ts";
import { nameKey, nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { type Fragment, sql } from "../../duckdb/sql.ts";
import { listOf, type Param } from "../../response/params.ts";
import { textLines } from "../../snapshot/tables/expressions.ts";
import { columnsOf } from "../../snapshot/loading/loading.ts";
import { conditionsOf, either, filterOver, type FilterValues, groupBy } from "../filters.ts";
import { scheduleFilters } from "../schedule/schedule-filters.ts";
import { momentParam } from "../../response/as-of.ts";
import { sharedFilters } from "../shared-filters.ts";

const kinds: Param<readonly ChangeKind[]> = {
  ...listOf(
    "kinds of changes",
    (item) => CHANGE_KINDS.find((kind) => kind === item),
    `one of ${CHANGE_KINDS.join(", ")}`,
  ),
  schema: { type: "string", enum: CHANGE_KINDS, examples: ["status", "cancelled"] },
};

/** The columns of a row that filters test. */
export interface FilteredChange {
  readonly year: string;
  readonly quarter: string;
  /** Without blanks, in upper case. */
  readonly departmentKey: string;
  readonly courseNumberKey: string;
  readonly sectionCode: number;
  readonly instructorKeys: readonly string[];
  readonly kind: ChangeKind;
}

const NAME_KEYS = `list_transform(instructors, lambda name: ${nameKeySql("name")})`;

/** SQL expressions of the same values over the published columns. */
export const FILTERED_COLUMNS: Readonly<Record<keyof FilteredChange, string>> = {
  year: "year",
  quarter: "quarter",
  departmentKey: "upper(replace(department, ' ', ''))",
  courseNumberKey: "lower(courseNumber)",
  sectionCode: "sectionCode::INTEGER",
  instructorKeys: NAME_KEYS,
  kind: "kind",
};

const { published } = columnsOf({
  columns: {
    ...FILTERED_COLUMNS,
    names: textLines(NAME_KEYS),
    lastNames: textLines(`list_transform(${NAME_KEYS}, lambda key: split_part(key, ',', 1))`),
  },
});

const filter = filterOver<keyof typeof published>();
const momentWords = (moment: string): string => (SNAPSHOT_ID.test(moment) ? `snapshot ${moment}` : moment);

export const changeFilters = {
  // Both also select files, see change-range.ts.
  since: filter(
    momentParam("changes after this snapshot, day or time only"),
    null,
    (since) => `after ${momentWords(since)}`,
  ),
  until: filter(
    momentParam("changes up to this snapshot, day or time only"),
    null,
    (until) => `up to ${momentWords(until)}`,
  ),
  year: sharedFilters.year,
  quarter: sharedFilters.quarter,
  department: sharedFilters.department,
  courseNumber: sharedFilters.courseNumber,
  sectionCodes: scheduleFilters.sectionCodes,
  instructorName: scheduleFilters.instructorName,
  kind: filter(
    kinds,
    (kinds, c) => sql`list_contains(${kinds}, ${c.kind})`,
    (kinds) => ({ before: either(kinds) }),
  ),
};
export type ChangeValues = FilterValues<typeof changeFilters>;

export const changeConditions = (values: ChangeValues): Fragment[] => conditionsOf(changeFilters, values, published);

type Test<Row> = (row: Row) => boolean;

/** The same filters over the new rows from which event streams select. */
const TESTS: { readonly [K in keyof ChangeValues]?: (value: NonNullable<ChangeValues[K]>) => Test<FilteredChange> } = {
  year: (year) => (row) => row.year === year,
  quarter: (quarter) => (row) => row.quarter === quarter,
  department: (keys) => (row) => keys.includes(row.departmentKey),
  courseNumber(numbers) {
    const keys = numbers.map((number) => number.toLowerCase());
    return (row) => keys.includes(row.courseNumberKey);
  },
  sectionCodes: (ranges) => (row) => ranges.some(({ low, high }) => low <= row.sectionCode && row.sectionCode <= high),
  instructorName: matchesInstructor,
  kind: (kinds) => (row) => kinds.includes(row.kind),
};

export function matchesInstructor(instructorName: string): Test<Pick<FilteredChange, "instructorKeys">> {
  const value = nameKey(instructorName).trim();
  const comma = value.indexOf(",");
  const lastName = (key: string) => key.replace(/,.*/s, "");
  if (comma < 0) return (row) => row.instructorKeys.some((key) => lastName(key).includes(value));
  if (comma === value.length - 1)
    return (row) => row.instructorKeys.some((key) => lastName(key) === value.slice(0, comma));
  return (row) => row.instructorKeys.some((key) => key.startsWith(value));
}

/** Rows indexed by the most common filters of streams. */
interface ChangeIndex<T extends FilteredChange> {
  readonly rows: readonly T[];
  readonly bySection: ReadonlyMap<number, readonly T[]>;
  readonly byDepartment: ReadonlyMap<string, readonly T[]>;
}

export const indexChanges = <T extends FilteredChange>(rows: readonly T[]): ChangeIndex<T> => ({
  rows,
  bySection: groupBy(rows, ({ sectionCode }) => sectionCode),
  byDepartment: groupBy(rows, ({ departmentKey }) => departmentKey),
});

/** Returns the value that is the only one. */
export const onlyOf = <T>(values: readonly T[] = []): T | undefined => (values.length === 1 ? values[0] : undefined);

export function onlySection({ sectionCodes }: ChangeValues): number | undefined {
  const range = onlyOf(sectionCodes);
  return range?.low === range?.high ? range?.low : undefined;
}

/** Returns a function that selects the rows which match all values, in their order. */
export function toSelector<T extends FilteredChange>(values: ChangeValues): (index: ChangeIndex<T>) => readonly T[] {
  const tests = Object.entries(TESTS).flatMap(([name, toTest]) => {
    const value = values[name as keyof ChangeValues];
    return value === undefined ? [] : [toTest(value as never)];
  });
  const section = onlySection(values);
  const department = onlyOf(values.department);
  return ({ rows, bySection, byDepartment }) => {
    const candidates =
      section !== undefined
        ? (bySection.get(section) ?? [])
        : department !== undefined
          ? (byDepartment.get(department) ?? [])
          : rows;
    return tests.length === 0 ? candidates : candidates.filter((row) => tests.every((test) => test(row)));
  };
}
