/** Cards about one term: how many sections are open, what opened last, what filled first. */
import { useContext } from "preact/hooks";
import { addressOf, courseAddress, courseId, findAddress, resourceAddress, sectionAddress } from "../data/addresses.ts";
import { fetchShared } from "../data/fetch-json.ts";
import { useIsNew } from "../data/new-student.ts";
import { isOpen } from "../data/is-open.ts";
import { campusToday, datesOf, SiteContext } from "../data/terms.ts";
import { termsAhead } from "../data/terms-ahead.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { useLoading } from "../data/use-json.ts";
import { count, day, share, weekday } from "../format.ts";
import { Ago } from "../parts/ago.tsx";
import { Loaded, LoadingPart } from "../parts/loaded.tsx";
import { NewStudentChoice } from "../parts/new-student-choice.tsx";
import type { Filled } from "./first-to-fill.ts";
import { loadNewestChanges, openedLast } from "./status-changes.ts";
import { TermDateLines, TermDates } from "./term-dates.tsx";

const MAX_LINES = 5;

/** A schedule of statuses: a small document, also for a large campus. */
interface Statuses {
  readonly schools: readonly {
    readonly departments: readonly {
      readonly courses: readonly { readonly sections: readonly { readonly status: string }[] }[];
    }[];
  }[];
}

/** The statuses of sections that are not cancelled. */
const statusesOf = (term: string): string =>
  addressOf("/schedule", { ...termQuery(term), cacheOnly: "true", fields: "status" });

export function TermCard({ term }: { term: string }) {
  const site = useContext(SiteContext);
  const dates = datesOf(site, term);
  const isNew = useIsNew();
  const isAhead = dates !== undefined && dates.instructionStart > campusToday();
  return (
    <section class="card">
      <h2>
        {termTitle(term)}
        {isAhead && <small>begins {weekday(dates.instructionStart)}</small>}
      </h2>
      <Loaded<[Statuses]> addresses={[statusesOf(term)]}>
        {({ schools }) => {
          const courses = schools.flatMap(({ departments }) => departments.flatMap((department) => department.courses));
          const statuses = courses.flatMap(({ sections }) => sections.map(({ status }) => status));
          const open = statuses.filter((status) => isOpen({ status, isCancelled: false }, isNew)).length;
          const newOnly = statuses.filter((status) => status === "NewOnly").length;
          return (
            <>
              <p class="big">
                {count(open)} <small>open sections</small>
              </p>
              <p>
                {share(open, statuses.length)} of {count(statuses.length)}
                {!isNew && newOnly > 0 && ` · ${count(newOnly)} more for new students only`}
              </p>
            </>
          );
        }}
      </Loaded>
      <NewStudentChoice />
      <TermDates term={termsAhead(site)[0] ?? term} />
      <p class="more">
        <a href={findAddress({ q: "open", term })}>Find open sections</a> <a href="#departments">By department</a>
      </p>
    </section>
  );
}

export function ChangeCards({ term }: { term: string }) {
  const changes = useLoading(`changes ${term}`, () => loadNewestChanges(term));
  const filled = useLoading(`filled ${term}`, () =>
    fetchShared<readonly Filled[]>(resourceAddress(`/first-to-fill?${new URLSearchParams({ term })}`)),
  );
  const opened = changes.value && openedLast(changes.value).slice(0, MAX_LINES);
  const hasOpened = opened?.length !== 0;
  return (
    <>
      <section class="card">
        <h2>
          First to fill<small>{termTitle(term)} · full since</small>
        </h2>
        <LoadingPart
          loading={filled}
          lines={MAX_LINES}
          of={(courses) =>
            courses.length === 0 ? (
              <p class="quiet">None recorded yet.</p>
            ) : (
              <ul class="lines">
                {courses.map(({ department, courseNumber, date, isStillFull }) => (
                  <li>
                    <a href={courseAddress(courseId(department, courseNumber), { term })}>
                      {department} {courseNumber}
                    </a>{" "}
                    <small>
                      <time dateTime={date}>{day(date)}</time>
                      {!isStillFull && ", reopened"}
                    </small>
                  </li>
                ))}
              </ul>
            )
          }
        />
      </section>
      <section class="card">
        <h2>
          {hasOpened ? "Just opened" : "Dates"}
          <small>{termTitle(term)}</small>
        </h2>
        {hasOpened ? (
          <LoadingPart
            loading={{ ...changes, value: opened }}
            lines={MAX_LINES}
            of={(sections) => (
              <ul class="lines">
                {sections.map((change) => (
                  <li>
                    <a href={sectionAddress({ ...change, code: change.sectionCode })}>
                      {change.department} {change.courseNumber} <span class="code">{change.sectionCode}</span>
                    </a>{" "}
                    <small>
                      <Ago time={change.at} />
                    </small>
                  </li>
                ))}
              </ul>
            )}
          />
        ) : (
          <TermDateLines term={term} from={campusToday()} limit={MAX_LINES} />
        )}
      </section>
    </>
  );
}
