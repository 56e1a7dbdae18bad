/** The schedule of classes, from the published term or live from the upstream. */
import { type Term, termName } from "../../../pipeline/contract/vocabulary.ts";
import { accentedNames, toLiveQuery } from "./live-schedule.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import {
  type EndpointContext,
  defineEndpoint,
  type Endpoint,
  type EndpointResult,
  type LiveRows,
  type LiveSchedule,
} from "../../response/endpoint.ts";
import { shapeOf } from "../../response/shapes/shape.ts";
import { selectRowIds } from "../../snapshot/loading/row-ids.ts";
import { toScheduleTree } from "./schedule-tree.ts";
import { filesOf } from "../../snapshot/generation.ts";
import { columnsOf, publishedRows } from "../../snapshot/loading/loading.ts";
import { where } from "../../snapshot/loading/published-rows.ts";
import { type LoadedTerm, loadTerm, scheduleTable, sectionsInFull } from "../../snapshot/tables/schedule-term.ts";
import { conditionsOf, paramsOf, titleOf } from "../filters.ts";
import { cancelledTest, scheduleFilters } from "./schedule-filters.ts";
import { checkSchedule, type ScheduleValues } from "./schedule-params.ts";

/** Both are required parameters; the defaults satisfy the compiler. */
const termOf = (values: ScheduleValues): Term => ({ year: values.year ?? "", quarter: values.quarter ?? "Fall" });

const isPublished = (values: ScheduleValues, { publishedTerms }: EndpointContext["snapshot"]): boolean =>
  publishedTerms("sections").some(({ year, quarter }) => year === values.year && quarter === values.quarter);

/** Where the rows of a term are: in its loaded table, or in the published one. */
interface Rows {
  readonly from: Fragment;
  readonly column: typeof loaded;
  readonly inTerm: readonly Fragment[];
}
const { loaded, published } = columnsOf(scheduleTable);

/** `FROM … WHERE …` */
function matching({ from, column, inTerm }: Rows, values: ScheduleValues): Fragment {
  const cancelled = cancelledTest(values.cancelledCourses, column);
  const all = sql`FROM ${from} ${where([...inTerm, ...conditionsOf(scheduleFilters, values, column), cancelled])}`;
  if (!values.includeCoCourses) return all;
  // A course is department, number and title.
  const course = sql`(deptCode, courseNumber, courseTitle)`;
  return sql`FROM ${from} ${where([...inTerm, sql`${course} IN (SELECT ${course} ${all})`, cancelled])}`;
}

function publishedSections(values: ScheduleValues): Fragment {
  const { year, quarter } = termOf(values);
  const rows = { from: sql`sections`, column: published, inTerm: [sql`year = ${year}`, sql`quarter = ${quarter}`] };
  return sql`SELECT * ${matching(rows, values)} ORDER BY ${constant(scheduleTable.orderBy)}`;
}

type Selected = Pick<EndpointResult, "body" | "rows" | "relation">;
type Source = Pick<LiveRows, "sections" | "headings">;

async function toTree(
  term: LoadedTerm,
  values: ScheduleValues,
  { pool }: EndpointContext,
  sourceOf: () => Source,
): Promise<Selected> {
  const rowIds = await selectRowIds(
    pool,
    sql`SELECT row_id ${matching({ from: term.from, column: loaded, inTerm: [] }, values)}`,
  );
  const relation = () => {
    const { sections, headings } = sourceOf();
    return sectionsInFull(term.numbered(sections), headings, rowIds);
  };
  return { body: toScheduleTree(term, rowIds), rows: rowIds.length, relation };
}

/** Where the rows of a published term are; nowhere, where there is none. */
function publishedTerm(term: Term, { snapshot: { generation } }: EndpointContext): Source {
  const rowsOf = (table: "sections" | "headings") => publishedRows(table, filesOf(generation, table, term).paths);
  return { sections: rowsOf("sections"), headings: rowsOf("headings") };
}

async function queryLive(
  values: ScheduleValues,
  context: EndpointContext,
  live: LiveSchedule,
): Promise<Selected & { address: string }> {
  const names = values.instructorName === undefined ? [] : await accentedNames(context.snapshot, context.pool);
  const query = { ...toLiveQuery(termOf(values), values), accentedNames: names };
  const source = await live.ask(query, context.signal());
  const term = await loadTerm(context.pool, source.sections, source.headings);
  try {
    return { ...(await toTree(term, values, context, () => source)), address: source.address };
  } finally {
    await term.drop();
  }
}

const isLive = (values: ScheduleValues, snapshot: EndpointContext["snapshot"]): boolean =>
  values.cache === false || !isPublished(values, snapshot);

export const scheduleEndpoint: Endpoint = defineEndpoint({
  path: "/schedule",
  summary: "Sections of a term, grouped by school, department and course",
  title: titleOf(scheduleFilters, "sections"),
  params: paramsOf(scheduleFilters),
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  check: checkSchedule,
  tables: ["sections", "headings"],
  products: ["schedule"],
  returns: shapeOf("Schedule"),
  crawledAt: (values, { freshness }) => freshness.terms[termName(termOf(values))],
  isLive,
  async answer(values, context) {
    const { live } = context;
    if (values.cache !== false || !live) {
      const sourceOf = () => publishedTerm(termOf(values), context);
      const cached = await context.snapshot.withTerm(termOf(values), (term) => toTree(term, values, context, sourceOf));
      if (cached) return cached;
      if (values.cacheOnly || !live)
        return {
          body: [Buffer.from('{"schools":[]}')],
          relation: () => {
            const { sections, headings } = sourceOf();
            return sectionsInFull(sql`(SELECT 0 AS row_id, * FROM ${sections})`, headings, new Int32Array());
          },
          headers: { "X-Cache": "MISS" },
        };
    }
    const { address: _address, ...selected } = await queryLive(values, context, live);
    return {
      ...selected,
      headers: { "X-Cache": values.cache === false ? "BYPASS" : "MISS" },
    };
  },
  async origin(values, context) {
    const { live } = context;
    if (live && isLive(values, context.snapshot) && !values.cacheOnly) {
      const { address, rows = 0 } = await queryLive(values, context, live);
      return { address, rows };
    }
    const term = termOf(values);
    return {
      reads: [
        { table: "sections", term },
        { table: "headings", term },
      ],
      statement: publishedSections(values),
    };
  },
});
