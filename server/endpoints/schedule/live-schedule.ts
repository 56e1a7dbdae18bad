/** Live queries of the schedule endpoint: converts its values to an upstream query, and the result to relations. */
import type { Live, LiveQuery } from "../../../pipeline/live.ts";
import { TABLES } from "../../../pipeline/contract/tables.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import type { LiveSchedule } from "../../response/endpoint.ts";
import type { ScheduleValues } from "./schedule-filters.ts";
import type { Derivation } from "../../snapshot/loading/derived.ts";
import { givenRows } from "../../snapshot/loading/loading.ts";
import { Problem } from "../../response/problem.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { sql } from "../../duckdb/sql.ts";
import { LOADING } from "../../duckdb/query.ts";

const NO_UPSTREAM =
  "This server has no upstream schedule system to ask. Ask for a published term, with cacheOnly=true.";

/** Opens live queries. `find` returns undefined without an upstream. */
export function openLiveSchedule(
  find: () => Promise<Live | undefined>,
  observe: Metrics["observeUpstream"] = () => undefined,
): LiveSchedule {
  return {
    async ask(query, signal) {
      const began = performance.now();
      const observed = (outcome: Parameters<typeof observe>[0]) => observe(outcome, performance.now() - began);
      try {
        const live = await find();
        if (!live) throw new Problem(502, NO_UPSTREAM);
        const { sections, headings } = await live.query(query, signal);
        const rows = {
          sections: givenRows(TABLES.sections.row.shape, sections),
          headings: givenRows(TABLES.headings.row.shape, headings),
          address: live.address,
        };
        observed("answered");
        return rows;
      } catch (error) {
        // A disconnected client is not an upstream failure.
        observed(signal.aborted ? "abandoned" : "failed");
        throw error;
      }
    },
  };
}

/** Passes on every filter; the live path widens or drops those that the upstream form cannot express. */
export function toLiveQuery(term: Term, values: ScheduleValues): LiveQuery {
  const {
    courseNumber,
    days,
    units,
    year: _year,
    quarter: _quarter,
    cache: _c,
    cacheOnly: _o,
    includeCoCourses: _i,
    excludeRestrictionCodes: _e,
    ...same
  } = values;
  return {
    ...same,
    term,
    ...(courseNumber
      ? { courseNumber: courseNumber.map((item) => ("number" in item ? item.number : `${item.low}-${item.high}`)) }
      : {}),
    ...(days ? { days: [...new Set(days.flat())] } : {}),
    ...(units ? { units: units.map(String) } : {}),
  };
}

/** Instructor names with non-ASCII characters: the schedule system matches names only as spelled. */
export const accentedNames: Derivation<{ readonly names: readonly string[] }> = {
  name: "accented names",
  tables: ["sections"],
  async make(pool, rows) {
    const [names = []] = await pool.columns(
      sql`SELECT DISTINCT name FROM (SELECT unnest(instructors) AS name FROM ${rows("sections")}) WHERE strlen(name) <> length(name) ORDER BY name`,
      LOADING,
    );
    return { names: names as string[] };
  },
};
