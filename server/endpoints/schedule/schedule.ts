/** The schedule of classes, from the published term or live from the upstream. */
import { type Term, termName } from "../../../pipeline/contract/vocabulary.ts";
import { accentedNames } from "./accented-names.ts";
import { allOf, type Fragment, sql } from "../../duckdb/sql.ts";
import {
  type EndpointContext,
  defineEndpoint,
  type Endpoint,
  type EndpointResult,
  toConditions,
} from "../../response/endpoint.ts";
import { selectRowIds } from "../../snapshot/row-ids.ts";
import { toScheduleTree } from "./schedule-tree.ts";
import { type LoadedTerm, loadTerm } from "../../snapshot/tables/schedule-term.ts";
import { toLiveQuery } from "./live-schedule.ts";
import { cancelledTest, scheduleFilters } from "./schedule-filters.ts";
import { checkSchedule, scheduleParams, type ScheduleValues } from "./schedule-params.ts";

/** Both are required parameters; the defaults satisfy the compiler. */
const termOf = (values: ScheduleValues): Term => ({ year: values.year ?? "", quarter: values.quarter ?? "Fall" });

const isPublished = (values: ScheduleValues, { publishedTerms }: EndpointContext["snapshot"]): boolean =>
  publishedTerms("sections").some(({ year, quarter }) => year === values.year && quarter === values.quarter);

function selection(term: LoadedTerm, values: ScheduleValues): Fragment {
  const cancelled = cancelledTest(values.cancelledCourses);
  const matching = allOf([...toConditions(scheduleFilters, values), cancelled]);
  if (!values.includeCoCourses) return sql`SELECT row_id FROM ${term.from} WHERE ${matching}`;
  // A course is department, number and title (behaviour §8).
  const course = sql`(deptCode, courseNumber, courseTitle)`;
  return sql`SELECT row_id FROM ${term.from} WHERE ${course} IN (SELECT ${course} FROM ${term.from} WHERE ${matching}) AND (${cancelled})`;
}

async function toTree(
  term: LoadedTerm,
  values: ScheduleValues,
  { pool }: EndpointContext,
): Promise<Pick<EndpointResult, "body" | "rows">> {
  const rowIds = await selectRowIds(pool, selection(term, values));
  return { body: toScheduleTree(term, rowIds), rows: rowIds.length };
}

async function queryLive(
  values: ScheduleValues,
  context: EndpointContext,
): Promise<Pick<EndpointResult, "body" | "rows">> {
  const names = values.instructorName === undefined ? [] : await accentedNames(context.snapshot, context.pool);
  const query = { ...toLiveQuery(termOf(values), values), accentedNames: names };
  const { sections, headings } = await context.live.ask(query, context.signal);
  const term = await loadTerm(context.pool, sections, headings);
  try {
    return await toTree(term, values, context);
  } finally {
    await term.drop();
  }
}

export const scheduleEndpoint: Endpoint = defineEndpoint({
  path: "/schedule",
  summary: "Sections of a term, grouped by school, department and course",
  params: scheduleParams,
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  check: checkSchedule,
  products: ["schedule"],
  returns: "Schedule",
  crawledAt: (values, { freshness }) => freshness.terms[termName(termOf(values))],
  isLive: (values, snapshot) => values.cache === false || !isPublished(values, snapshot),
  async answer(values, context) {
    if (values.cache !== false) {
      const cached = await context.snapshot.withTerm(termOf(values), (term) => toTree(term, values, context));
      if (cached) return cached;
      if (values.cacheOnly) return { body: [Buffer.from('{"schools":[]}')], headers: { "X-Cache": "MISS" } };
    }
    return {
      ...(await queryLive(values, context)),
      headers: { "X-Cache": values.cache === false ? "BYPASS" : "MISS" },
    };
  },
});
