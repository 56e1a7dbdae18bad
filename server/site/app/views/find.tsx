/** Finds sections of a term by the filters of the schedule, or anything by text. The address holds the query. */
import { SCHEDULE_TABLES, Stale } from "../parts/stale.tsx";
import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { findAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { GLOSSARY } from "../data/glossary.ts";
import { useIsNew } from "../data/new-student.ts";
import { isOpen } from "../data/is-open.ts";
import { courseOf, scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import { useTerm } from "../data/terms.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { useAverages } from "../data/use-averages.ts";
import { useJson } from "../data/use-json.ts";
import { count } from "../format.ts";
import { FilterForm } from "../find/filter-form.tsx";
import { type Filters, filtersIn, isEmpty, isNarrow, scheduleQuery } from "../find/filters.ts";
import { FoundText } from "../find/found-text.tsx";
import { NothingFound } from "../find/nothing-found.tsx";
import { fitting, ordered } from "../find/order.ts";
import { useLackingCourses } from "../find/prerequisites-met.ts";
import { Results, SortChoice } from "../find/results.tsx";
import { capitalized, queryInWords } from "../find/sentence.ts";
import { Ignored, TermChip } from "../find/search-notes.tsx";
import { Words } from "../find/words.tsx";
import { Categories, Departments } from "../home/departments.tsx";
import { SourceMenu } from "../parts/links.tsx";
import { LoadingPart } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { usePlan } from "../plan/stored-plan.ts";

type Schedule = ResponseBody<"Schedule">;
const NOTHING: Schedule = { schools: [] };

export function FindView() {
  const { query } = useLocation();
  if (query["q"]) return <FoundText key={query["q"]} text={query["q"]} />;
  return <FindSections filters={filtersIn(query)} ignored={query["ignored"]?.split(" ") ?? []} />;
}

/** With open seats only, a cancelled section is not what is looked for. */
function addressesOf(term: string, filters: Filters): string[] {
  const [live = "", cancelled = ""] = scheduleAddresses(term, scheduleQuery(filters));
  return filters.fullCourses === "SkipFull" ? [live] : [live, cancelled];
}

const toLines = ([live = NOTHING, cancelled = NOTHING]: readonly Schedule[]) => toSectionLines(live, cancelled);

interface FindSectionsProps {
  readonly filters: Filters;
  /** Words of the search that match nothing. */
  readonly ignored: readonly string[];
}

function FindSections({ filters, ignored }: FindSectionsProps) {
  const term = useTerm();
  const plan = usePlan(term);
  const isNew = useIsNew();
  const addresses = isNarrow(filters) && term !== "" ? addressesOf(term, filters) : undefined;
  const schedule = useJson<Schedule[]>(addresses);
  const needsPlan = filters.fitsPlan !== undefined && plan.codes.length > 0;
  const planned = useJson<Schedule[]>(
    needsPlan ? scheduleAddresses(term, { sectionCodes: plan.codes.join(",") }) : undefined,
  );
  const loaded = useMemo(() => (schedule.value && addresses ? toLines(schedule.value) : undefined), [schedule.value]);
  const courses = useMemo(() => loaded && [...new Set(loaded.map(courseOf))], [loaded]);
  const { averages, ...grades } = useAverages(courses);
  const { lacking, ...catalogue } = useLackingCourses(filters.prerequisites && courses ? courses : undefined, term);
  const sections = useMemo(() => {
    if (!addresses || !loaded || !lacking || (needsPlan && !planned.value)) return undefined;
    const fit = needsPlan ? fitting(loaded, toLines(planned.value ?? []), termQuery(term).year) : loaded;
    const open = filters.fullCourses === "SkipFull" ? fit.filter((section) => isOpen(section, isNew)) : fit;
    const possible = filters.prerequisites ? open.filter((section) => !lacking.has(courseOf(section))) : open;
    return ordered(possible, filters.sort, averages, isNew);
  }, [loaded, planned.value, averages, needsPlan, JSON.stringify(filters), isNew, lacking, addresses === undefined]);
  const problem = schedule.problem ?? planned.problem ?? catalogue.problem;
  const isLoading =
    schedule.isLoading || planned.isLoading || (lacking === undefined && catalogue.problem === undefined);
  const isSettled = !isLoading && problem === undefined;
  const reload = [schedule, planned, catalogue].find((part) => part.problem !== undefined)?.reload ?? schedule.reload;
  const heading = headingOf(filters, isSettled ? sections : undefined);
  return (
    <>
      <PageTitle title={`${heading} · ${termTitle(term)}`}>{heading}</PageTitle>
      <TermChip />
      <Ignored words={ignored} />
      <div class="find">
        <FiltersAtTheSide filters={filters} planned={plan.codes.length} />
        <div class="find-results">
          {term === "" ? (
            <p>No data has been published yet.</p>
          ) : addresses ? (
            <>
              <p class="hidden" role="status">
                {isSettled && heading}
              </p>
              <Stale tables={SCHEDULE_TABLES} term={term} />
              <LoadingPart
                loading={{ value: sections, problem, status: schedule.status, isLoading, reload }}
                lines={10}
                of={(shown) =>
                  shown.length === 0 ? (
                    <NothingFound filters={filters} term={term} plan={needsPlan ? toLines(planned.value ?? []) : []} />
                  ) : (
                    <>
                      <div class="results-head">
                        <SortChoice filters={filters} />
                        <SourceMenu name="these sections" address={addresses[0] ?? ""} />
                      </div>
                      {grades.problem !== undefined && (
                        <p class="quiet">
                          Averages could not be loaded.{" "}
                          <button type="button" class="small" onClick={grades.reload}>
                            Try again
                          </button>
                        </p>
                      )}
                      <Results
                        key={addresses.join()}
                        sections={shown}
                        term={term}
                        averages={averages}
                        caption={heading}
                      />
                    </>
                  )
                }
              />
            </>
          ) : (
            <Start filters={filters} term={term} />
          )}
        </div>
      </div>
    </>
  );
}

/** `23 open GE-IV sections on Tuesday and Thursday after noon, and 1 cancelled`; without sections, the query alone. */
function headingOf(filters: Filters, sections: readonly SectionLine[] | undefined): string {
  if (isEmpty(filters)) return "Find classes";
  if (!sections) return capitalized(queryInWords(filters));
  const cancelled = sections.filter(({ isCancelled }) => isCancelled).length;
  const held = sections.length - cancelled;
  const also = cancelled === 0 ? "" : `, and ${count(cancelled)} cancelled`;
  return `${held === 0 ? "No" : count(held)} ${queryInWords(filters, held === 1)}${also}`;
}

/** Beside the results, or folded above them on a narrow screen. */
function FiltersAtTheSide({ filters, planned }: { readonly filters: Filters; readonly planned: number }) {
  const isOpen = useMemo(() => matchMedia("(min-width: 900px)").matches || isEmpty(filters), []);
  const chosen = Object.keys(filters).filter((name) => name !== "sort").length;
  return (
    <details class="find-filters" open={isOpen}>
      <summary>Filters{chosen > 0 && ` · ${count(chosen)}`}</summary>
      <FilterForm filters={filters} planned={planned} />
    </details>
  );
}

const EXAMPLES = ["open GE IV TuTh afternoon", "GE II mornings", "upper division 4 units after 5pm", "open online"];

/** Nothing is chosen yet, or nothing that narrows the term. */
const Start = ({ filters, term }: { readonly filters: Filters; readonly term: string }) => (
  <>
    <p class="lead">{isEmpty(filters) ? `Find sections in ${termTitle(term)}` : "Add one more filter:"}</p>
    <p class="text">
      A general education category, a department, days or hours, an instructor, a building, a course number, or a word
      of the title. Or type what you need into the search:
    </p>
    <ul class="chips">
      {EXAMPLES.map((example) => (
        <li>
          <a href={findAddress({ q: example })}>{example}</a>
        </li>
      ))}
    </ul>
    <Categories />
    <h2>Departments</h2>
    <Departments />
    <details class="all-words">
      <summary>Schedule terms and codes</summary>
      <Words entries={GLOSSARY} />
    </details>
  </>
);
