/** Random changes: some publications of several terms each. */
import * as fc from "fast-check";
import { type Change, CHANGE_KINDS } from "../../../pipeline/contract/rows/change.ts";
import { changesAnswer } from "../oracle/history.ts";
import { Query } from "../oracle/query.ts";
import type { Moment } from "../oracle/rows.ts";
import type { ChangeDraft } from "../published/published-changes.ts";

const HOUR_MS = 3_600_000;
/** The last hours of a month, and the first ones of the next. */
export const firstCrawl = new Date("2024-10-31T21:00:00.120Z");
export const crawlOf = (publication: number): Date => new Date(firstCrawl.getTime() + publication * HOUR_MS);

const TERMS = [
  { year: "2024", quarter: "Fall" },
  { year: "2025", quarter: "Winter" },
  { year: "2024", quarter: "Summer10wk" },
] as const;
const NAMES = ["AMBERLEY, R.", "MÜLLER, E.", "O'NEIL, S.", "STAFF"];
export const CODES = ["10000", "10001", "10550", "34250", "00099"];
const FIELDS = ["status", "maxCapacity", "sectionComment", "numCurrentlyEnrolled.totalEnrolled", "meetings"];
const text = fc.oneof(
  fc.constantFrom("OPEN", 'a "b" <c> & \u0007 é 😎', "", "[1,2]"),
  fc.string({ unit: "grapheme", maxLength: 8 }).map((drawn) => drawn.replaceAll("\u0000", "")),
);

/** The changes of one publication. No two are those of one field of one section. */
export const drawPublication = (publication: number): fc.Arbitrary<ChangeDraft[]> =>
  fc
    .uniqueArray(
      fc.record({
        term: fc.constantFrom(...TERMS),
        sectionCode: fc.constantFrom(...CODES),
        field: fc.constantFrom(...FIELDS),
        kind: fc.constantFrom(...CHANGE_KINDS),
        department: fc.constantFrom("DANCE", "I&C SCI"),
        courseNumber: fc.constantFrom("10", "H32A"),
        instructors: fc.subarray(NAMES),
        before: fc.option(text),
        after: fc.option(text),
      }),
      {
        minLength: 1,
        maxLength: 25,
        selector: ({ term, sectionCode, field }) => [term.year, term.quarter, sectionCode, field].join(" "),
      },
    )
    .map((rows) =>
      rows.map(({ term, ...row }) => ({
        ...row,
        ...term,
        // Terms are crawled one after the other.
        at: new Date(crawlOf(publication).getTime() + TERMS.indexOf(term) * 1000).toISOString(),
        since: crawlOf(publication - 1).toISOString(),
      })),
    );

export type ChangeQuestion = Readonly<Record<string, string>>;

/** The changes that a question asks for, as the oracle finds them; `snapshots` in order of time. */
export function askPlainly(changes: readonly Change[], asked: ChangeQuestion, snapshots: readonly string[]): object[] {
  const moment = { tables: { changes }, snapshots, now: firstCrawl, isCompat: false } as unknown as Moment;
  const { elements, show } = changesAnswer(moment, new Query(new URLSearchParams(asked), false));
  return show(elements as never[]) as object[];
}
