/** Cards about one term: how much of it is open, what opened last, what filled first. */
import { useContext } from "preact/hooks";
import { addressOf, courseAddress, courseId, findAddress, sectionAddress } from "../data/addresses.ts";
import { type CalendarEntry, campusToday, comingDates, datesOf, SiteContext } from "../data/terms.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { useLoading } from "../data/use-json.ts";
import { count, share, weekday } from "../format.ts";
import { Ago } from "../parts/ago.tsx";
import { Loaded, LoadingPart } from "../parts/loaded.tsx";
import { TermDates } from "./term-dates.tsx";
import { filledFirst, loadStatusChanges, openedLast } from "./status-changes.ts";

const MAX_LINES = 5;

/** Where a response comes from: a small document that has its number of rows, and that of the files. */
interface Explanation {
  readonly rows: number;
  readonly tables: readonly { readonly name: string; readonly files: readonly { readonly rows: number }[] }[];
}

const openSections = (term: string): string =>
  addressOf("/schedule", { ...termQuery(term), fullCourses: "SkipFull", cacheOnly: "true", explain: "true" });

/** Cancelled ones included. */
const allSections = ({ tables }: Explanation): number =>
  tables.find(({ name }) => name === "sections")?.files.reduce((sum, { rows }) => sum + rows, 0) ?? 0;

export function TermCard({ term }: { term: string }) {
  const dates = datesOf(useContext(SiteContext), term);
  const today = campusToday();
  const isNext = dates !== undefined && dates.instructionStart > today;
  return (
    <section class="card">
      <h2>
        {termTitle(term)}
        {isNext && <small>begins {weekday(dates.instructionStart)}</small>}
      </h2>
      <Loaded<[Explanation]> addresses={[openSections(term)]}>
        {(explanation) => {
          const all = allSections(explanation);
          return (
            <>
              <p class="big">
                {count(all)} <small>{all === 1 ? "section" : "sections"}</small>
              </p>
              <p>
                ● {count(explanation.rows)} with seats left <small>({share(explanation.rows, all)})</small>
              </p>
            </>
          );
        }}
      </Loaded>
      <TermDates term={term} />
      <p class="more">
        <a href={findAddress({ q: "open", term })}>Find open ones →</a> <a href="#departments">By department ↓</a>
      </p>
    </section>
  );
}

/** Out of term nothing opens and nothing fills. */
const NextCard = ({ dates }: { dates: readonly CalendarEntry[] }) => (
  <section class="card">
    <h2>What is next</h2>
    {dates.length === 0 ? (
      <p class="quiet">The academic calendar has no later dates yet.</p>
    ) : (
      <ul class="lines">
        {dates.slice(0, MAX_LINES).map(({ date, what }) => (
          <li>
            {what} <small>{weekday(date)}</small>
          </li>
        ))}
      </ul>
    )}
  </section>
);

export function ChangeCards({ term }: { term: string }) {
  const site = useContext(SiteContext);
  const loading = useLoading(term, () => loadStatusChanges(term));
  const changes = loading.value;
  if (changes && openedLast(changes).length + filledFirst(changes).length === 0)
    return <NextCard dates={comingDates(site)} />;
  return (
    <>
      <section class="card">
        <h2>
          Just opened<small>{termTitle(term)}</small>
        </h2>
        <LoadingPart
          loading={loading}
          of={(changes) => {
            const opened = openedLast(changes).slice(0, MAX_LINES);
            if (opened.length === 0)
              return (
                <p class="quiet">
                  No section has opened again so far. Follow a section on its page, and you are told when one does.
                </p>
              );
            return (
              <ul class="lines">
                {opened.map((change) => (
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
            );
          }}
        />
      </section>
      <section class="card">
        <h2>
          First to fill<small>{termTitle(term)}, seen full by</small>
        </h2>
        <LoadingPart
          loading={loading}
          of={(changes) => {
            const filled = filledFirst(changes).slice(0, MAX_LINES);
            if (filled.length === 0) return <p class="quiet">No section has been seen to fill so far.</p>;
            return (
              <ul class="lines">
                {filled.map(({ department, courseNumber, at }) => (
                  <li>
                    <a href={courseAddress(courseId(department, courseNumber), { term })}>
                      {department} {courseNumber}
                    </a>{" "}
                    <small>
                      <time dateTime={at}>{weekday(campusToday(new Date(at)))}</time>
                    </small>
                  </li>
                ))}
              </ul>
            );
          }}
        />
      </section>
    </>
  );
}
