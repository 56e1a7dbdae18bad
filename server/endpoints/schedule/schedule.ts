/** The schedule of classes, from the published term or live from the upstream. */
import { type Term, termName } from "../../../pipeline/contract/vocabulary.ts";
import { accentedNames, toLiveQuery } from "./live-schedule.ts";
import { constant, type Fragment, sql, where } from "../../duckdb/sql.ts";
import {
  type EndpointContext,
  defineEndpoint,
  type Endpoint,
  type List,
  type LiveRows,
  type LiveSchedule,
  type Statement,
  type Page,
} from "../../response/endpoint.ts";
import { CACHE_STATUS } from "../../response/headers.ts";
import { selectRows } from "../../response/representations/json.ts";
import { inPageOf } from "../../response/paging.ts";
import { shapeOf } from "../../response/shapes/shapes.ts";
import { type Columns, columnsOf } from "../../snapshot/loading/loading.ts";
import {
  COURSE_ORDER,
  type Level,
  type LoadedTerm,
  loadTerm,
  scheduleTable,
} from "../../snapshot/tables/schedule-term.ts";
import { conditionsOf, paramsOf, titleOf } from "../filters.ts";
import { loadedPeople, readsOfPeople, selectRowsWithIds, withIdsOfNames } from "../instructor-ids.ts";
import { publishedPeople } from "../../snapshot/tables/people.ts";
import { NO_FILTER } from "../shared-filters.ts";
import { cancelledTest, scheduleFilters, type ScheduleValues } from "./schedule-filters.ts";

/** Returns the term. Both parameters are required; the defaults satisfy the compiler. */
const termOf = (values: ScheduleValues): Term => ({ year: values.year ?? "", quarter: values.quarter ?? "Fall" });

/** The rows of a term: in its loaded table, or in the published view. */
interface Rows {
  readonly from: Fragment;
  readonly column: Columns<keyof typeof loaded | "people">;
  readonly inTerm: readonly Fragment[];
}
const { loaded, published } = columnsOf(scheduleTable);

/** Selects matching sections: `FROM … WHERE …`. */
function matching({ from, column, inTerm }: Rows, values: ScheduleValues): Fragment {
  const cancelled = cancelledTest(values.cancelledCourses, column);
  const all = sql`FROM ${from} ${where([...inTerm, ...conditionsOf(scheduleFilters, values, column), cancelled])}`;
  if (!values.includeCoCourses) return all;
  // A course is identified by department, number and title.
  const course = sql`(deptCode, courseNumber, courseTitle)`;
  return sql`FROM ${from} ${where([...inTerm, sql`${course} IN (SELECT ${course} ${all})`, cancelled])}`;
}

function selectSections(values: ScheduleValues, page: Page | undefined): Fragment {
  const { year, quarter } = termOf(values);
  const column = { ...published, people: publishedPeople };
  const rows = { from: sql`schedule`, column, inTerm: [sql`year = ${year}`, sql`quarter = ${quarter}`] };
  const selected = sql`SELECT * ${matching(rows, values)} ${inPageOf(constant(COURSE_ORDER), page)}`;
  const all = values.instructorIds ? withIdsOfNames(selected, column) : selected;
  return sql`${all} ORDER BY ${constant(scheduleTable.orderBy)}`;
}

/** Selects sections; the result holds the JSON of the term, so that it outlives the table. */
async function select(term: LoadedTerm, values: ScheduleValues, context: EndpointContext): Promise<List> {
  const column = Object.assign({ people: await loadedPeople(values, context) }, loaded);
  const rows = matching({ from: term.from, column, inTerm: [] }, values);
  const selection = values.instructorIds
    ? await selectRowsWithIds(context.pool, term.records, column, rows)
    : await selectRows(context.pool, term.records, rows);
  return listCourses({ ...term, records: selection.records }, selection.rowIds);
}

async function askLive(values: ScheduleValues, context: EndpointContext, live: LiveSchedule): Promise<LiveRows> {
  const { names } = values.instructorName === undefined ? { names: [] } : await context.snapshot.derive(accentedNames);
  return live.ask({ ...toLiveQuery(termOf(values), values), accentedNames: names }, context.signal());
}

async function queryLive(values: ScheduleValues, context: EndpointContext, live: LiveSchedule): Promise<List> {
  const { sections, headings } = await askLive(values, context, live);
  const term = await loadTerm(context.pool, sections, headings);
  try {
    return await select(term, values, context);
  } finally {
    await term.drop();
  }
}

/** True if the upstream is queried. Without an upstream, as for earlier snapshots, `cache` is not false. */
const isLive = (values: ScheduleValues, { publishedTerms }: EndpointContext["snapshot"]): boolean =>
  values.cache === false ||
  !publishedTerms.some(({ year, quarter }) => year === values.year && quarter === values.quarter);

const liveHeaders = ({ cache }: ScheduleValues) => ({
  "Cache-Status": cache === false ? CACHE_STATUS.bypass : CACHE_STATUS.miss,
});

const isNoFilter = (text: string | undefined): boolean => NO_FILTER.some((word) => word === text?.trim());

/**
 * Checks rules 1 to 3 of the specification, and that neither cacheOnly nor an earlier snapshot is combined with
 * cache=false.
 */
function check(values: ScheduleValues, refused: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const isGiven = (name: keyof ScheduleValues) => values[name] !== undefined || refused.has(name);
  if (values.cacheOnly && values.cache === false) problems.push("cacheOnly cannot be true if cache is false");
  if (values.includeCoCourses && !values.cacheOnly && !refused.has("cacheOnly"))
    problems.push("If includeCoCourses is true, cacheOnly must be true");
  if (isGiven("room") && !isGiven("building")) problems.push('If "room" is provided, "building" must also be provided');
  const starred = (["ge", "department", "sectionCodes", "instructorName"] as const).filter(isGiven);
  // ANY or ALL may be part of a name, but alone they do not restrict the query.
  const isUnrestricted = starred.every((name) => name === "instructorName" && isNoFilter(values.instructorName));
  if (!values.cacheOnly && !refused.has("cacheOnly") && isUnrestricted) {
    problems.push(
      'At least one of "ge", "department", "sectionCodes" or "instructorName" must be provided, and not be ANY, unless cacheOnly is true',
    );
  }
  if ((values as { readonly asOf?: string }).asOf !== undefined && values.cache === false)
    problems.push("asOf cannot be given if cache is false");
  return problems;
}

/**
 * The JSON tree of a response (school → department → course → section) is assembled from the preserialized JSON of a
 * term.
 */
const OPEN = Buffer.from('{"schools":[');
const CLOSE = Buffer.from("]}");
const NEXT_SECTION = ",";
/** Separators between groups; each closes everything below the common parent. */
const NEXT_COURSE = "]},";
const NEXT_DEPARTMENT = "]}]},";
const NEXT_SCHOOL = "]}]}]},";
const END = "]}]}]}";

/** Lists the courses of the ascending sections `rowIds`; each part is a tree. */
function listCourses(term: LoadedTerm, rowIds: Int32Array): List {
  const { moveTo } = cursor(term.courses);
  /** For each course, the index in `rowIds` at which its sections begin. */
  const begins: number[] = [];
  for (let i = 0; i < rowIds.length; i++) if (moveTo(rowIds[i] as number)) begins.push(i);
  const sections = (from: number, to: number) => rowIds.subarray(begins[from] ?? rowIds.length, begins[to]);
  return {
    total: begins.length,
    part: (from, to) => toScheduleTree(term, sections(from, to)),
    rows: (from, to) => sections(from, to).length,
  };
}

const NO_COURSES: List = { total: 0, part: () => [OPEN, CLOSE] };

function toScheduleTree(term: LoadedTerm, rowIds: Int32Array): Buffer[] {
  const course = cursor(term.courses);
  const department = cursor(term.departments);
  const school = cursor(term.schools);
  let tree = "";
  for (const id of rowIds) {
    const newSchool = school.moveTo(id);
    const newDepartment = department.moveTo(id);
    const newCourse = course.moveTo(id);
    if (tree !== "")
      tree += newSchool ? NEXT_SCHOOL : newDepartment ? NEXT_DEPARTMENT : newCourse ? NEXT_COURSE : NEXT_SECTION;
    if (newSchool) tree += school.prefix();
    if (newDepartment) tree += department.prefix();
    if (newCourse) tree += course.prefix();
    tree += term.records[id];
  }
  return [OPEN, Buffer.from(tree === "" ? "" : tree + END), CLOSE];
}

function cursor({ starts, prefixes }: Level) {
  let index = -1;
  const end = () => starts[index + 1] ?? Number.MAX_SAFE_INTEGER;
  return {
    moveTo(id: number): boolean {
      if (index >= 0 && id < end()) return false;
      while (id >= end()) index++;
      return true;
    },
    prefix: () => prefixes[index] as string,
  };
}

export const scheduleEndpoint: Endpoint = defineEndpoint({
  path: "/schedule",
  summary: "Sections of a term, grouped by school, department and course",
  title: titleOf(scheduleFilters, "sections"),
  params: paramsOf(scheduleFilters),
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  check,
  tables: ["sections", "headings"],
  products: ["schedule"],
  returns: shapeOf("Schedule"),
  pagesOf: "courses",
  content: "sections",
  live: { isAsked: isLive, crawledAt: (values, freshness) => freshness.terms[termName(termOf(values))] },
  async answer(values, context) {
    const { live, snapshot } = context;
    const published = isLive(values, snapshot)
      ? undefined
      : await snapshot.withTerm(termOf(values), (term) => select(term, values, context));
    if (published) return published;
    const headers = liveHeaders(values);
    if (values.cacheOnly || !live) return { ...NO_COURSES, headers };
    return { ...(await queryLive(values, context, live)), headers };
  },
  async statement(values, context, page) {
    const { live, snapshot } = context;
    const term = termOf(values);
    const statement: Statement = {
      reads: [{ table: "sections", term }, { table: "headings", term }, ...readsOfPeople(values)],
      select: selectSections(values, page),
    };
    if (!isLive(values, snapshot)) return statement;
    const headers = liveHeaders(values);
    if (values.cacheOnly || !live) return { ...statement, headers };
    return { ...statement, headers, live: await askLive(values, context, live) };
  },
});
