/** The five views of grades as statements: over the loaded table for responses, over the published one for explanations and files. */
import { type GradeCount, GRADE_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { nameKey, nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { constant, type Fragment, listed, name, sql, where } from "../../duckdb/sql.ts";
import type { EndpointContext, Origin, Page } from "../../response/endpoint.ts";
import { inPage } from "../../response/paging.ts";
import { flag } from "../../response/params.ts";
import { type Columns, columnsOf } from "../../snapshot/loading/loading.ts";
import { gradesTable } from "../../snapshot/tables/grades.ts";
import { publishedPeople } from "../../snapshot/tables/people.ts";
import { conditionsOf, filterOver, type FilterValues } from "../filters.ts";
import { idsOfName, instructorIdsFilter, loadedPeople, readsOfPeople, withIdsOfNames } from "../instructor-ids.ts";
import { sectionFilters, sharedFilters } from "../shared-filters.ts";

type Column = keyof typeof gradesTable.columns;

export const gradeFilters = {
  ...sectionFilters,
  instructorIds: instructorIdsFilter,
  division: sharedFilters.division,
  ge: sharedFilters.ge,
  excludePNP: filterOver<"hasLetters">()(
    flag("true leaves out sections that reported Pass/No-Pass grades only"),
    (exclude, c) => (exclude ? c.hasLetters : sql`TRUE`),
    (exclude) => (exclude ? "with letter grades" : ""),
  ),
};
type GradeValues = FilterValues<typeof gradeFilters>;

/** Where the rows are. */
interface Grades {
  readonly from: Fragment;
  readonly column: Columns<Column | "people">;
}

const { loaded, published } = columnsOf(gradesTable);
export const loadedGrades = async (values: GradeValues, context: EndpointContext): Promise<Grades> => ({
  from: context.snapshot.tables.grades.from,
  column: { ...loaded, people: await loadedPeople(values, context) },
});

/** Sums of whole numbers are whole numbers to whoever runs the statement. */
const COUNTS = Object.fromEntries(GRADE_COUNTS.map((count) => [count, name(count)])) as Columns<GradeCount>;
const PUBLISHED: Grades = { from: sql`grades`, column: { ...published, ...COUNTS, people: publishedPeople } };

/** `FROM … WHERE …`: the sections that match. */
export const matching = ({ from, column }: Grades, values: GradeValues): Fragment =>
  sql`FROM ${from} ${where(conditionsOf(gradeFilters, values, column))}`;

/** What the average of no letter grades is: 0 in JSON, and nothing in a table, where it would count in a mean. */
type Blank = "zero" | "null";
const BLANK: Readonly<Record<Blank, Fragment>> = { zero: sql`0`, null: sql`NULL` };

/** Sums of counts, and the mean of the averages of sections with a letter grade. Hundredths are whole numbers: the division is the only rounding. */
const sums = ({ gpaHundredths, ...column }: Columns<Column>, blank: Blank): Fragment =>
  listed([
    ...GRADE_COUNTS.map((count) => sql`coalesce(sum(${column[count]}), 0) AS ${name(count)}`),
    sql`coalesce(sum(${gpaHundredths}) / (100 * count(${gpaHundredths})), ${BLANK[blank]}) AS averageGPA`,
  ]);

/** The records office's average of a section. */
const average = ({ hasLetters }: Columns<Column>, blank: Blank): Fragment =>
  blank === "zero" ? sql`coalesce(averageGPA, 0)` : sql`CASE WHEN ${hasLetters} THEN averageGPA END`;

const distinct = (values: string): Fragment => constant(`coalesce(list_sort(list_distinct(list(${values}))), [])`);

export const selectOptions = (grades: Grades, values: GradeValues): Fragment =>
  sql`SELECT list_reverse(${distinct("year")}) AS years, ${distinct("department")} AS departments,
    list_transform(${distinct("{'digits': courseNumeric, 'text': courseNumber}")}, lambda number: number.text) AS courseNumbers,
    ${distinct("sectionCode")} AS sectionCodes,
    coalesce(list_sort(list_distinct(flatten(list(instructors)))), []) AS instructors ${matching(grades, values)}`;

/** `first` is the first of the columns, or nothing. */
interface Selected {
  readonly first?: Fragment;
  readonly blank?: Blank;
}

export const selectAggregate = (
  grades: Grades,
  values: GradeValues,
  { first = sql``, blank = "zero" }: Selected = {},
): Fragment => sql`SELECT ${first} ${sums(grades.column, blank)} ${matching(grades, values)}`;

/** What the sections of a group have in common. */
export const GROUPED_BY = {
  aggregateByCourse: ["department", "courseNumber"],
  aggregateByOffering: ["department", "courseNumber", "instructor"],
} as const;
export type GroupView = keyof typeof GROUPED_BY;

/** The offerings of the matching sections; with an instructor or a netid given, only those of that name or person. */
function offerings(grades: Grades, values: GradeValues): Fragment {
  const { instructor, netid } = values;
  const all = sql`FROM (SELECT *, unnest(list_distinct(instructors)) AS instructor ${matching(grades, values)})`;
  return sql`${all} ${where([
    ...(instructor === undefined ? [] : [sql`${constant(nameKeySql("instructor"))} = ${nameKey(instructor)}`]),
    ...(netid === undefined
      ? []
      : [sql`list_contains(${idsOfName("instructor", "department", grades.column.people)}, ${netid})`]),
  ])}`;
}

/** A row a group, in any order. */
export function selectGroups(
  view: GroupView,
  grades: Grades,
  values: GradeValues,
  { first = sql``, blank = "zero" }: Selected = {},
): Fragment {
  const keys = constant(GROUPED_BY[view].join(", "));
  const from = view === "aggregateByOffering" ? offerings(grades, values) : matching(grades, values);
  const ids =
    view === "aggregateByOffering" && values.instructorIds
      ? sql`, ${idsOfName("instructor", "department", grades.column.people)} AS instructorIds`
      : sql``;
  return sql`SELECT ${first} ${keys}, ${sums(grades.column, blank)} ${ids} ${from} GROUP BY courseNumeric, ${keys}`;
}

export type GradeView = "raw" | "aggregate" | "options" | GroupView;

const ORDER = sql`ORDER BY ${constant(gradesTable.orderBy)}`;

function selectRaw(values: GradeValues, blank: Blank): Fragment {
  const rows = sql`SELECT * REPLACE (${average(PUBLISHED.column, blank)} AS averageGPA) ${matching(PUBLISHED, values)}`;
  return values.instructorIds ? withIdsOfNames(rows, PUBLISHED.column) : rows;
}

function selectPublished(view: GradeView, values: GradeValues, blank: Blank): Fragment {
  switch (view) {
    case "raw":
      return sql`${selectRaw(values, blank)} ${ORDER}`;
    case "aggregate":
      return selectAggregate(PUBLISHED, values, { blank });
    case "options":
      return selectOptions(PUBLISHED, values);
    default: {
      const order = constant(GROUPED_BY[view].join(", ").replace("courseNumber", "courseNumeric, courseNumber"));
      return sql`${selectGroups(view, PUBLISHED, values, { blank })} ORDER BY ${order}`;
    }
  }
}

export function gradeOrigin(view: GradeView, values: GradeValues, page: Page | undefined): Origin {
  const select = (blank: Blank) => sql`${selectPublished(view, values, blank)} ${inPage(page)}`;
  const statement = select("zero");
  return {
    reads: [{ table: "grades", term: { year: values.year } }, ...readsOfPeople(values)],
    statement,
    flat:
      view === "options"
        ? sql`SELECT list, unnest(value) AS value FROM (${statement}) UNPIVOT (value FOR list IN (*))`
        : select("null"),
    grades: sql`SELECT * ${matching(PUBLISHED, values)} ${ORDER} ${view === "raw" ? inPage(page) : sql``}`,
  };
}
