/** The parameters of changes (server/RULES.md, Time), as filters twice: over the published rows, and over the new rows that event streams choose from. */
import { type ChangeKind, CHANGE_KINDS } from "../../../pipeline/contract/rows/change.ts";
import { nameKey, nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { constant, sql, textList } from "../../duckdb/sql.ts";
import { type Filters, listOf, type Param, type ValuesOf } from "../../response/params.ts";
import { textLines } from "../../snapshot/tables/expressions.ts";
import { codesTest, instructorTest } from "../schedule/schedule-filters.ts";
import { momentParam } from "../../response/as-of.ts";
import { scheduleParams } from "../schedule/schedule-params.ts";
import { courseNumberParam, departmentParam, quarterParam, yearParam } from "../shared-params.ts";

const kinds: Param<readonly ChangeKind[]> = {
  ...listOf(
    "kinds of changes",
    (item) => CHANGE_KINDS.find((kind) => kind === item),
    `one of ${CHANGE_KINDS.join(", ")}`,
  ),
  schema: { type: "string", enum: CHANGE_KINDS, examples: ["status", "cancelled"] },
};

export const changeParams = {
  since: momentParam("changes after this snapshot, day or time only"),
  until: momentParam("changes up to this snapshot, day or time only"),
  year: yearParam,
  quarter: quarterParam,
  department: departmentParam,
  courseNumber: courseNumberParam,
  sectionCodes: scheduleParams.sectionCodes,
  instructorName: scheduleParams.instructorName,
  kind: kinds,
};
export type ChangeValues = ValuesOf<typeof changeParams>;

const NAME_KEYS = `list_transform(instructors, lambda name: ${nameKeySql("name")})`;
const NAME_LINES = {
  names: constant(textLines(NAME_KEYS)),
  lastNames: constant(textLines(`list_transform(${NAME_KEYS}, lambda key: split_part(key, ',', 1))`)),
};

export const changeFilters: Filters<typeof changeParams> = {
  // They also select files, see change-range.ts.
  since: null,
  until: null,
  year: (year) => sql`year = ${year}`,
  quarter: (quarter) => sql`quarter = ${quarter}`,
  department: (key) => sql`upper(replace(department, ' ', '')) = ${key}`,
  courseNumber: (number) => sql`lower(courseNumber) = lower(${number})`,
  sectionCodes: (ranges) => codesTest(ranges, sql`sectionCode::INTEGER`),
  instructorName: (name) => instructorTest(name, NAME_LINES),
  kind: (kinds) => sql`list_contains(${textList(kinds)}, kind)`,
};

/** What the filters look at, of one row. */
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

/** The columns of `FilteredChange`, in its order. */
export const FILTERED_COLUMNS = constant(
  `year, quarter, upper(replace(department, ' ', '')), lower(courseNumber), sectionCode::INTEGER, ${NAME_KEYS}, kind`,
);

type Matchers = {
  readonly [K in keyof ChangeValues]-?:
    | ((value: NonNullable<ChangeValues[K]>) => (row: FilteredChange) => boolean)
    | null;
};

const matchers: Matchers = {
  since: null,
  until: null,
  year: (year) => (row) => row.year === year,
  quarter: (quarter) => (row) => row.quarter === quarter,
  department: (key) => (row) => row.departmentKey === key,
  courseNumber: (number) => (row) => row.courseNumberKey === number.toLowerCase(),
  sectionCodes: (ranges) => (row) => ranges.some(({ low, high }) => low <= row.sectionCode && row.sectionCode <= high),
  instructorName(given) {
    const value = nameKey(given.trim());
    const comma = value.indexOf(",");
    const lastName = (key: string) => key.split(",", 1)[0] ?? "";
    if (comma < 0) return (row) => row.instructorKeys.some((key) => lastName(key).includes(value));
    if (value.slice(comma + 1).trim() === "")
      return (row) => row.instructorKeys.some((key) => lastName(key) === value.slice(0, comma));
    return (row) => row.instructorKeys.some((key) => key.startsWith(value));
  },
  kind: (kinds) => (row) => kinds.includes(row.kind),
};

/** Rows by what most streams filter by. */
export interface ChangeIndex<T extends FilteredChange> {
  readonly rows: readonly T[];
  readonly bySection: ReadonlyMap<number, readonly T[]>;
  readonly byDepartment: ReadonlyMap<string, readonly T[]>;
}

export const indexChanges = <T extends FilteredChange>(rows: readonly T[]): ChangeIndex<T> => ({
  rows,
  bySection: groupBy(rows, ({ sectionCode }) => sectionCode),
  byDepartment: groupBy(rows, ({ departmentKey }) => departmentKey),
});

function groupBy<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** Returns a function that gives the rows which pass all filters of the values, in their order. */
export function toSelector<T extends FilteredChange>(values: ChangeValues): (index: ChangeIndex<T>) => readonly T[] {
  const tests = Object.entries(matchers).flatMap(([name, matcher]) => {
    const value = values[name as keyof ChangeValues];
    return matcher && value !== undefined ? [matcher(value as never)] : [];
  });
  const [codes, ...others] = values.sectionCodes ?? [];
  const section = codes && others.length === 0 && codes.low === codes.high ? codes.low : undefined;
  const { department } = values;
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
