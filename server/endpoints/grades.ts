/**
 * The five grades endpoints: views of the same filtered rows (server/RULES.md, Grades). Each view is a statement, over
 * the loaded table for responses and over the published one for explanations and files.
 */
import { nameKey, nameKeySql } from "../../pipeline/contract/name-key.ts";
import { GRADE_COUNTS } from "../../pipeline/contract/rows/grade.ts";
import { constant, type Fragment, listed, name, sql, where } from "../duckdb/sql.ts";
import {
  defineEndpoint,
  type Endpoint,
  type EndpointContext,
  type Statement,
  type Page,
} from "../response/endpoint.ts";
import { inPage } from "../response/paging.ts";
import { flag, oneOf } from "../response/params.ts";
import { listRecords, selectRows } from "../response/representations/json.ts";
import { type ShapeName, shapeOf } from "../response/shapes/shapes.ts";
import { type Columns, columnsOf, jsonObject } from "../snapshot/loading/loading.ts";
import { gradesTable } from "../snapshot/tables/grades.ts";
import { publishedPeople } from "../snapshot/tables/people.ts";
import { conditionsOf, filterOver, type FilterValues, paramsOf, titleOf } from "./filters.ts";
import {
  idsOfName,
  instructorIdsFilter,
  loadedPeople,
  readsOfPeople,
  selectRowsWithIds,
  withIdsOfNames,
} from "./instructor-ids.ts";
import { sectionFilters, sharedFilters } from "./shared-filters.ts";

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

const SORTS = ["course", "highestGPA", "lowestGPA", "mostStudents"] as const;
type Sort = (typeof SORTS)[number];

export const sortParam = oneOf("what comes first; by default courses by department and number", SORTS, {
  examples: ["highestGPA"],
});

/**
 * The sort keys in front of the default order of groups; groups without a letter grade have no average and are last.
 */
const FIRST_BY: Readonly<Record<Sort, (column: Columns<Column>) => readonly Fragment[]>> = {
  course: () => [],
  highestGPA: ({ gpaHundredths }) => [sql`avg(${gpaHundredths}) DESC NULLS LAST`],
  lowestGPA: ({ gpaHundredths }) => [sql`avg(${gpaHundredths}) NULLS LAST`],
  mostStudents: (column) => [
    sql`${GRADE_COUNTS.reduce((all, count) => sql`${all} + coalesce(sum(${column[count]}), 0)`, sql`0`)} DESC`,
  ],
};

type GradeValues = FilterValues<typeof gradeFilters> & { readonly sort?: Sort };

/** The average without any letter grade: 0 in JSON, but null in files, where 0 would distort a mean. */
type Blank = "zero" | "null";
const BLANK: Readonly<Record<Blank, Fragment>> = { zero: sql`0`, null: sql`NULL` };

/**
 * Selects sums of counts, and the mean of the averages of sections with a letter grade. Hundredths are integers, so
 * that the division is the only rounding.
 */
const selectedSums = (column: Columns<Column>, blank: Blank): Fragment =>
  listed([
    ...GRADE_COUNTS.map((count) => sql`coalesce(sum(${column[count]}), 0) AS ${name(count)}`),
    sql`coalesce(sum(${column.gpaHundredths}) / (100 * count(${column.gpaHundredths})), ${BLANK[blank]}) AS averageGPA`,
  ]);

/** Returns the sums, which are built once. */
const sumsOf = (column: Columns<Column>): Readonly<Record<Blank, Fragment>> => ({
  zero: selectedSums(column, "zero"),
  null: selectedSums(column, "null"),
});

/** The rows of grades: the relation, its columns and their sums. */
interface Grades {
  readonly from: Fragment;
  readonly column: Columns<Column | "people">;
  readonly sums: Readonly<Record<Blank, Fragment>>;
}

const { loaded, published } = columnsOf(gradesTable);
const LOADED_SUMS = sumsOf(loaded);
const loadedGrades = async (values: GradeValues, context: EndpointContext): Promise<Grades> => ({
  from: context.snapshot.tables.grades.from,
  column: Object.assign({ people: await loadedPeople(values, context) }, loaded),
  sums: LOADED_SUMS,
});

const PUBLISHED: Grades = {
  from: sql`grades`,
  column: { ...published, people: publishedPeople },
  sums: sumsOf(published),
};

/** Selects the matching sections: `FROM … WHERE …`. */
const matching = ({ from, column }: Grades, values: GradeValues): Fragment =>
  sql`FROM ${from} ${where(conditionsOf(gradeFilters, values, column))}`;

/** Selects the records office's average of a section. */
const average = ({ hasLetters }: Columns<Column>, blank: Blank): Fragment =>
  blank === "zero" ? sql`coalesce(averageGPA, 0)` : sql`CASE WHEN ${hasLetters} THEN averageGPA END`;

type Select = (grades: Grades, values: GradeValues, blank?: Blank) => Fragment;

const selectSums = (grades: Grades, values: GradeValues, blank: Blank = "zero", first: Fragment = sql``): Fragment =>
  sql`SELECT ${first} ${grades.sums[blank]} ${matching(grades, values)}`;

const distinct = (values: string): Fragment => constant(`coalesce(list_sort(list_distinct(list(${values}))), [])`);

const selectOptions: Select = (grades, values) =>
  sql`SELECT list_reverse(${distinct("year")}) AS years, ${distinct("department")} AS departments,
    list_transform(${distinct("{'digits': courseNumeric, 'text': courseNumber}")}, lambda number: number.text) AS courseNumbers,
    ${distinct("sectionCode")} AS sectionCodes,
    coalesce(list_sort(list_distinct(flatten(list(instructors)))), []) AS instructors ${matching(grades, values)}`;

/** Selects the offerings of the matching sections; with an instructor or netid, only those of that name or person. */
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

/** Groups sections. @param keys the columns that a group has in common */
const groupedBy =
  (keys: string, from: (grades: Grades, values: GradeValues) => Fragment): Select =>
  (grades, values, blank = "zero") => {
    const ids = values.instructorIds
      ? sql`, ${idsOfName("instructor", "department", grades.column.people)} AS instructorIds`
      : sql``;
    const defaultOrder = constant(keys.replace("courseNumber", "courseNumeric, courseNumber"));
    const order = listed([...FIRST_BY[values.sort ?? "course"](grades.column), defaultOrder]);
    return sql`SELECT ${constant(keys)}, ${grades.sums[blank]} ${ids} ${from(grades, values)}
      GROUP BY courseNumeric, ${constant(keys)} ORDER BY ${order}`;
  };

const ORDER = sql`ORDER BY ${constant(gradesTable.orderBy)}`;

const selectRaw: Select = (grades, values, blank = "zero") => {
  const rows = sql`SELECT * REPLACE (${average(grades.column, blank)} AS averageGPA) ${matching(grades, values)}`;
  return sql`${values.instructorIds ? withIdsOfNames(rows, grades.column) : rows} ${ORDER}`;
};

const SELECT = {
  raw: selectRaw,
  aggregate: selectSums,
  options: selectOptions,
  aggregateByCourse: groupedBy("department, courseNumber", matching),
  aggregateByOffering: groupedBy("department, courseNumber, instructor", offerings),
} satisfies Record<string, Select>;
export type GradeView = keyof typeof SELECT;

export function gradeStatement(
  view: GradeView,
  values: GradeValues,
  context: EndpointContext,
  page: Page | undefined,
): Statement {
  const select = (blank: Blank) => sql`${SELECT[view](PUBLISHED, values, blank)} ${inPage(page)}`;
  const statement = select("zero");
  return {
    reads: [{ table: "grades", term: { year: values.year } }, ...readsOfPeople(values)],
    select: statement,
    loaded: async () => SELECT[view](await loadedGrades(values, context), values),
    flat:
      view === "options"
        ? sql`SELECT list, unnest(value) AS value FROM (${statement}) UNPIVOT (value FOR list IN (*))`
        : select("null"),
    grades: sql`SELECT * ${matching(PUBLISHED, values)} ${ORDER} ${view === "raw" ? inPage(page) : sql``}`,
  };
}

/** The views of groups, which support `sort`. */
const GROUPED: readonly GradeView[] = ["aggregateByCourse", "aggregateByOffering"];
const params = { ...paramsOf(gradeFilters), sort: sortParam };
/** The views without instructor names, which do not support `instructorIds`. */
const NAMELESS: readonly GradeView[] = ["options", "aggregateByCourse"];

/** Returns the parameters of a view. The type is that of all parameters, because values are optional. */
function paramsOfView(view: GradeView): typeof params {
  const isOffered = (name: string) =>
    name === "instructorIds" ? !NAMELESS.includes(view) : name !== "sort" || GROUPED.includes(view);
  return Object.fromEntries(Object.entries(params).filter(([name]) => isOffered(name))) as typeof params;
}

type Answer = NonNullable<Endpoint<typeof params>["answer"]>;

const isUnfiltered = (values: object): boolean => Object.values(values).every((value) => value === undefined);

const answerRaw: Answer = async (values, context) => {
  const { pool, snapshot } = context;
  const { records } = snapshot.tables.grades;
  if (isUnfiltered(values)) return listRecords({ records, rowIds: undefined });
  const grades = await loadedGrades(values, context);
  const rows = matching(grades, values);
  return listRecords(
    values.instructorIds
      ? await selectRowsWithIds(pool, records, grades.column, rows)
      : await selectRows(pool, records, rows),
  );
};

/** Returns the JSON of a graded section without its grades. Quotation marks in values are escaped. */
const withoutGrades = (record: string): string =>
  record.slice(0, record.indexOf(`,"${GRADE_COUNTS[0]}":`)) + record.slice(record.lastIndexOf(',"instructors":'));

const DISTRIBUTION = constant(`${jsonObject([...GRADE_COUNTS, "averageGPA"])}::VARCHAR`);

/** Finds the sections and their sums in one pass. A text of row ids is read four times as fast as a list. */
const answerAggregate: Answer = async (values, context) => {
  const { pool, snapshot } = context;
  const { records } = snapshot.tables.grades;
  const grades = await loadedGrades(values, context);
  const first = isUnfiltered(values) ? sql`NULL AS rowIds,` : sql`string_agg(row_id, ',') AS rowIds,`;
  const statement = selectSums(grades, values, "zero", first);
  const [[ids] = [], [distribution] = []] = await pool.columns(sql`SELECT rowIds, ${DISTRIBUTION} FROM (${statement})`);
  const rowIds = Int32Array.from((ids as string | null)?.split(",") ?? [], Number).sort();
  const withIds = values.instructorIds
    ? (await selectRowsWithIds(pool, records, grades.column, matching(grades, values))).records
    : records;
  const sections = isUnfiltered(values) ? records : Array.from(rowIds, (rowId) => withIds[rowId] as string);
  return {
    body: [
      Buffer.from(`{"sectionList":[${sections.map(withoutGrades).join(",")}],`),
      Buffer.from(`"gradeDistribution":${String(distribution)}}`),
    ],
    rows: sections.length,
  };
};

/** The views whose records are in memory; the others are the rows of their statements. */
const ANSWERS: { readonly [V in GradeView]?: Answer } = { raw: answerRaw, aggregate: answerAggregate };

const grade = (view: GradeView, summary: string, about: string, returns: ShapeName): Endpoint =>
  defineEndpoint({
    path: `/grades/${view}`,
    summary,
    title: titleOf(gradeFilters, "sections", about),
    params: paramsOfView(view),
    example: { department: "COMPSCI", courseNumber: "161" },
    tables: ["grades"],
    products: ["grades"],
    returns: shapeOf(returns),
    ...(ANSWERS[view] ? { answer: ANSWERS[view] } : {}),
    statement: (values, context, page) => gradeStatement(view, values, context, page),
  });

export const gradesEndpoints: readonly Endpoint[] = [
  grade("raw", "One record for each section that matches", "grades of", "RawGrades"),
  grade("aggregate", "All matching sections, and their grades summed", "grade distribution of", "AggregateGrades"),
  grade("options", "The values that are left under the given filters", "choices for grades of", "GradeOptions"),
  grade("aggregateByCourse", "Matching sections combined by course", "grades by course of", "CourseGrades"),
  grade(
    "aggregateByOffering",
    "Matching sections combined by course and instructor",
    "grades by course and instructor of",
    "OfferingGrades",
  ),
];
