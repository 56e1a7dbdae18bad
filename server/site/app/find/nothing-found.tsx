/** Suggests what to change when no section matches: another term, or one filter less, with the number of matches. */
import { useContext } from "preact/hooks";
import { addressOf, findAddress } from "../data/addresses.ts";
import { fetchShared, type ResponseBody } from "../data/fetch-json.ts";
import { useIsNew } from "../data/new-student.ts";
import { isOpen } from "../data/is-open.ts";
import { scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import { publishedTerms, SiteContext, termsNotOver } from "../data/terms.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { useLoading } from "../data/use-json.ts";
import { count, plural } from "../format.ts";
import { type Filters, isNarrow, scheduleQuery } from "./filters.ts";
import { fitting } from "./order.ts";
import { queryInWords } from "./sentence.ts";

/** Other terms that are searched: those that are not over, then the newest. */
const MAX_TERMS = 4;

const without = (filters: Filters, name: string): Filters =>
  Object.fromEntries(
    Object.entries(filters).filter(([other]) => other !== name && !(name === "building" && other === "room")),
  );

/** Counts sections that are held: from the sections if the reader decides, else from a small document. */
async function countSections(
  term: string,
  filters: Filters,
  plan: readonly SectionLine[],
  isNew: boolean,
): Promise<number> {
  const query = scheduleQuery(filters);
  const needsPlan = filters.fitsPlan !== undefined && plan.length > 0;
  const needsOpen = filters.fullCourses === "SkipFull" && !isNew;
  if (needsPlan || needsOpen) {
    const [address = ""] = scheduleAddresses(term, query);
    const lines = toSectionLines(await fetchShared<ResponseBody<"Schedule">>(address), { schools: [] });
    const fit = needsPlan ? fitting(lines, plan, termQuery(term).year) : lines;
    return needsOpen ? fit.filter((section) => isOpen(section, isNew)).length : fit.length;
  }
  const all = { ...termQuery(term), ...query, cacheOnly: "true", explain: "true" };
  return (await fetchShared<{ rows: number }>(addressOf("/schedule", all))).rows;
}

/** Undefined while it loads, and where it cannot be counted. */
type Counts = Readonly<Record<string, number | undefined>>;

async function countEach(
  keys: readonly string[],
  toCount: (key: string) => Promise<number | undefined>,
): Promise<Counts> {
  const counts = await Promise.all(keys.map(async (key) => [key, await toCount(key).catch(() => undefined)] as const));
  return Object.fromEntries(counts);
}

interface NothingFoundProps {
  readonly filters: Filters;
  readonly term: string;
  readonly plan: readonly SectionLine[];
}

export function NothingFound({ filters, term, plan }: NothingFoundProps) {
  const site = useContext(SiteContext);
  const isNew = useIsNew();
  const key = `${term} ${JSON.stringify(filters)} ${plan.length} ${isNew}`;
  const names = Object.keys(filters).filter((name) => name !== "sort" && name !== "room");
  const terms = [...new Set([...termsNotOver(site), ...publishedTerms(site)])]
    .filter((other) => other !== term)
    .slice(0, MAX_TERMS);
  const { value: byFilter = {} } = useLoading(key, () =>
    countEach(names, async (name) => {
      const fewer = without(filters, name);
      return isNarrow(fewer) && !fewer.prerequisites ? countSections(term, fewer, plan, isNew) : undefined;
    }),
  );
  // A plan is of one term.
  const { value: byTerm = {} } = useLoading(key, () =>
    countEach(terms, (other) => countSections(other, without(filters, "fitsPlan"), [], isNew)),
  );
  const withMatches = terms.filter((other) => (byTerm[other] ?? 0) > 0);
  const wordsOf = (name: string) =>
    queryInWords({ [name]: filters[name as keyof Filters] }).replace(/ ?\bsections\b ?/, "");
  return (
    <>
      <p class="lead">No matches in {termTitle(term)}.</p>
      {withMatches.length > 0 && (
        <p class="other-terms">
          In other terms:{" "}
          {withMatches.map((other, i) => (
            <>
              {i > 0 && ", "}
              <a href={findAddress({ ...without(filters, "fitsPlan"), term: other })}>
                {plural(byTerm[other] ?? 0, "section")} in {termTitle(other)}
              </a>
            </>
          ))}
        </p>
      )}
      <p>Remove a filter:</p>
      <ul class="chips">
        {names.map((name) => (
          <li key={name}>
            <a href={findAddress(without(filters, name))} aria-label={`Remove ${wordsOf(name)}`}>
              <span aria-hidden="true">✕ </span>
              {wordsOf(name)}
            </a>
            {byFilter[name] !== undefined && <span class="quiet"> {count(byFilter[name])}</span>}
          </li>
        ))}
      </ul>
      {filters.courseTitle !== undefined && (
        <p>
          The schedule shortens titles.{" "}
          <a href={findAddress({ q: filters.courseTitle })}>
            Search the catalogue for “<bdi>{filters.courseTitle}</bdi>”
          </a>
        </p>
      )}
    </>
  );
}
