/** The campus day under which a crawl is recorded. A wrong clock must not invent days: it is compared with the upstream's. */
import { campusToday, nextDay } from "../../contract/campus-time.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { termName } from "../../contract/vocabulary.ts";
import { GuardError } from "../../errors.ts";
import type { CrawledTermTimes, RunContext } from "../context.ts";

export const dayOfCrawl = ({ startedAt }: CrawledTermTimes): string => campusToday(new Date(startedAt));

/**
 * Without an upstream's Date, a gap since the last published run is noted: the clock may be wrong, or the machine was off.
 * @throws GuardError when a day is later than that of the upstream's clock
 */
export function checkDays({ crawled, staging }: RunContext, tally: Tally): void {
  const createdAt = staging.base?.manifest.createdAt;
  const lastRun = createdAt && campusToday(new Date(createdAt));
  for (const { term, ...times } of crawled) {
    const day = dayOfCrawl(times);
    if (times.upstreamDate !== undefined) {
      const theirs = campusToday(new Date(times.upstreamDate));
      if (day > theirs)
        throw new GuardError(
          `the clock of this computer says ${day}, that of the schedule system ${theirs}: the day is not recorded`,
        );
    } else if (lastRun && day > nextDay(lastRun)) {
      tally.note(
        "recorded more than a day after the last published run, and the schedule system has no clock to compare with",
        `${termName(term)}: ${day} after ${lastRun}`,
      );
    }
  }
}
