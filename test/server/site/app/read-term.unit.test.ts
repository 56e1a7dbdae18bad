/** The term that a search names, in week 9 of Fall 2026, when Winter enrolls. */
import { expect, it } from "vitest";
import type { SiteIndex } from "../../../../server/site/app/data/terms.ts";
import { readTerm } from "../../../../server/site/app/find/read-term.ts";

const days = (year: string, quarter: "Fall" | "Winter" | "Spring" | "Summer1", start: string, end: string) => ({
  ...{ year, quarter, instructionStart: start, instructionEnd: end, finalsStart: end, finalsEnd: end },
});
/** Far from today, so that the test does not depend on the day. */
const site = {
  snapshot: {
    terms: ["2097 Spring", "2097 Winter", "2096 Fall", "2026 Summer2", "2026 Summer1", "2026 Spring", "2026 Winter"],
    term: "2097 Winter",
    calendar: [
      days("2026", "Winter", "2026-01-05", "2026-03-20"),
      days("2096", "Fall", "2096-09-24", "2096-12-11"),
      days("2097", "Winter", "2097-01-04", "2097-03-19"),
      days("2097", "Spring", "2097-03-29", "2097-06-10"),
    ],
  },
} as unknown as SiteIndex;
const TODAY = "2096-11-28";

it.each([
  ["winter", "2097 Winter", ""],
  ["compsci 161 winter", "2097 Winter", "compsci 161"],
  ["Winter 2026 math 2b", "2026 Winter", "math 2b"],
  ["2026 winter math 2b", "2026 Winter", "math 2b"],
  ["w97 open ge 4", "2097 Winter", "open ge 4"],
  ["open ge 4 W'26", "2026 Winter", "open ge 4"],
  ["ge 4 next quarter", "2097 Winter", "ge 4"],
  ["next term dance", "2097 Winter", "dance"],
  ["dance this quarter", "2096 Fall", "dance"],
  ["fall quarter math", "2096 Fall", "math"],
  ["sp97", "2097 Spring", ""],
  ["s97 math", "2097 Spring", "math"],
  ["summer math", "2026 Summer2", "math"],
  ["summer session 1 math", "2026 Summer1", "math"],
  ["ss2 2026 math", "2026 Summer2", "math"],
])("“%s”: %s, and the rest", (text, term, rest) => {
  expect(readTerm(text, site, TODAY)).toEqual({ term, rest });
});

it.each(["fall of rome", "winter 2031", "w 5", "f", "springer", "water", "math f 2b", "the fall and rise of empires"])(
  "“%s” names no term",
  (text) => {
    expect(readTerm(text, site, TODAY)).toEqual({ rest: text });
  },
);
