/** A term's enrollment day by day, as a file that an operator would put into `data/enrollment/`. */
import { createHash } from "node:crypto";
import { termName } from "../contract/vocabulary.ts";
import { isoDay } from "./days.ts";
import { writeCsv } from "./records/csv.ts";
import type { GeneratedTerm } from "./sections/term.ts";

const COLUMNS = [
  ...["year", "quarter", "sectionCode", "date", "maxCapacity", "totalEnrolled", "waitlist", "waitlistCap"],
  ...["requested", "newOnlyReserved", "status"],
];
/** A day's numbers are those of its last hour. */
const LAST_HOUR = 23 / 24;

/**
 * Days from the opening of enrolment to the last final, or to `lastDay`. Sections without students on that day are left
 * out.
 */
export function enrollmentFile(generated: GeneratedTerm, lastDay: number) {
  const name = `sample campus, ${termName(generated.term)}.csv`;
  const sha256 = createHash("sha256")
    .update(`${name}, until ${isoDay(lastDay)}`)
    .digest("hex");
  return { name, sha256, read: () => readDays(generated, lastDay) };
}

async function* readDays({ term, sections, states }: GeneratedTerm, lastDay: number): AsyncGenerator<Buffer> {
  yield writeCsv([COLUMNS], false);
  const last = Math.min(lastDay, term.finalsEnd);
  const used = sections.filter(
    (section) => section.code < 98_000 && states.stateOn(section, last + LAST_HOUR).enrolled > 0,
  );
  for (let day = term.enrolmentOpens; day <= last; day++) {
    const time = day + LAST_HOUR;
    const date = isoDay(day);
    const rows = used
      .filter((section) => states.isListed(section, time))
      .map((section) => {
        const { capacity, enrolled, waitlist, waitlistCapacity, requested, newOnly, status } = states.stateOn(
          section,
          time,
        );
        const seats = [capacity, enrolled, waitlist, waitlistCapacity, requested, newOnly, status];
        return [term.year, term.quarter, section.codeText, date, ...seats];
      });
    yield writeCsv(rows, false);
  }
}
