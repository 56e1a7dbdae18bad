/** Live queries of the schedule endpoint: converts its values to an upstream query, and the result to relations. */
import type { Live, LiveQuery } from "../../../pipeline/live.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import type { LiveSchedule } from "../../response/endpoint.ts";
import type { ScheduleValues } from "./schedule-params.ts";
import { givenRows } from "../../snapshot/loading.ts";
import { Problem } from "../../response/problem.ts";

/** `find` returns undefined without an upstream. */
export function openLiveSchedule(find: () => Promise<Live | undefined>): LiveSchedule {
  return {
    async ask(query, signal) {
      const live = await find();
      if (!live)
        throw new Problem(
          502,
          "This server has no upstream schedule system to ask. Ask for a published term, with cacheOnly=true.",
        );
      const { sections, headings } = await live.query(query, signal);
      return {
        sections: givenRows("sections", sections),
        headings: givenRows("headings", headings),
        address: live.address,
      };
    },
  };
}

/** Passes every filter on; the live path widens or drops those that the upstream form cannot express. */
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
