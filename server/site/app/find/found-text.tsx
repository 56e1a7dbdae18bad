/** Results of a searched text: sections by its filters, or courses, people, departments and glossary entries. */
import { useContext, useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Course } from "../course/course-node.tsx";
import { lookUpUncatalogued } from "../course/uncatalogued-course.ts";
import { addressOf, courseAddress, findAddress } from "../data/addresses.ts";
import { fetchJson } from "../data/fetch-json.ts";
import { findWords } from "../data/glossary.ts";
import { Categories, Departments } from "../home/departments.tsx";
import { publishedTerms, SiteContext, useTerm } from "../data/terms.ts";
import { type Loading, useLoading } from "../data/use-json.ts";
import { type Hit, hitAddress, HitLine } from "../parts/hits.tsx";
import { LoadingPart, Skeleton } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { type Filters, filtersIn } from "./filters.ts";
import { readTerm } from "./read-term.ts";
import { readText } from "./read-text.ts";
import { ignoredWords, writtenOut } from "./search-text.ts";
import { Ignored, TermChip } from "./search-notes.tsx";
import { Words } from "./words.tsx";

const MAX_LENGTH = 200;
const MAX_HITS = "50";
/** Scores of hits: the text is the code or the name, or a word of the name. */
const SURE = 0.9;
const NAMED = 0.7;

const searchAddress = (q: string, limit: string) => addressOf("/search", { q: q.slice(0, MAX_LENGTH), limit });

export function FoundText({ text }: { readonly text: string }) {
  const site = useContext(SiteContext);
  const { term, rest: named } = readTerm(text, site);
  if (term !== undefined) return <Redirect to={findAddress({ q: named, term })} />;
  const { filters, rest } = readText(text);
  return Object.keys(filters).length === 0 ? (
    <Hits text={text} />
  ) : (
    <ToFilters filters={filters} rest={writtenOut(rest) ?? rest} />
  );
}

/** Replaces the address when there is one. */
function Redirect({ to }: { readonly to: string | undefined }) {
  const { route } = useLocation();
  useEffect(() => {
    if (to !== undefined) route(to, true);
  }, [to]);
  return (
    <>
      <PageTitle title="Find classes">Find classes</PageTitle>
      <Skeleton lines={6} />
    </>
  );
}

/** A department, a course, a person or a section as filters; any other text is looked for in titles. */
function filtersOf(rest: string, hit: Hit | undefined): Filters {
  if (!hit || hit.score < (hit.kind === "instructor" ? NAMED : SURE)) return { courseTitle: rest };
  const { searchParams } = new URL(hit.links["sections"] ?? hit.links["self"] ?? "", globalThis.location.href);
  return filtersIn(Object.fromEntries(searchParams));
}

const search = (q: string) => fetchJson<readonly Hit[]>(searchAddress(q, MAX_HITS));

/** The rest of the text is optional: without the search it is looked for in titles. */
async function filtersFrom(filters: Filters, rest: string): Promise<string> {
  if (rest === "") return findAddress(filters);
  const [hit] = await search(rest).catch(() => []);
  const named = filtersOf(rest, hit);
  const ignored = hit && named.courseTitle === undefined ? await ignoredWords(rest, [hit], search).catch(() => []) : [];
  return findAddress({ ...filters, ...named, ignored: ignored.join(" ") });
}

function ToFilters({ filters, rest }: { readonly filters: Filters; readonly rest: string }) {
  const { value } = useLoading(`${JSON.stringify(filters)} ${rest}`, () => filtersFrom(filters, rest));
  return <Redirect to={value} />;
}

/** Writes out short forms; if that finds nothing, searches the text as it is. */
function useHits(text: string): Loading<Results> {
  const term = useTerm();
  const terms = [term, ...publishedTerms(useContext(SiteContext))];
  const meant = writtenOut(text);
  return useLoading(`${text} ${term}`, async () => {
    const texts = [...(meant === undefined ? [] : [meant]), text];
    for (const q of texts) {
      const hits = await search(q);
      if (hits.length > 0) {
        const [uncatalogued, ignored] = await Promise.all([
          scheduledOnly(q, hits, terms),
          ignoredWords(q, hits, search).catch(() => []),
        ]);
        return { hits, q, ignored, uncatalogued };
      }
    }
    return { hits: [], q: text, ignored: [], uncatalogued: await scheduledOnly(meant ?? text, [], terms) };
  });
}

interface Results {
  readonly hits: readonly Hit[];
  /** The searched text. */
  readonly q: string;
  readonly ignored: readonly string[];
  readonly uncatalogued: Course | undefined;
}

/** A course by its name, where the search has none. */
const scheduledOnly = async (q: string, hits: readonly Hit[], terms: readonly string[]): Promise<Course | undefined> =>
  hits.some(({ kind, score }) => kind === "course" && score >= SURE)
    ? undefined
    : lookUpUncatalogued(q.toUpperCase(), terms).catch(() => undefined);

function Hits({ text }: { readonly text: string }) {
  const words = findWords(text);
  const loading = useHits(text);
  const isEmpty = loading.value?.hits.length === 0 && !loading.value.uncatalogued && words.length === 0;
  const heading = isEmpty ? "No results for" : "Results for";
  return (
    <>
      <PageTitle title={`${heading} “${text}”`}>
        {heading} “<bdi>{text}</bdi>”
      </PageTitle>
      <TermChip />
      {words.length > 0 && <Words entries={words} />}
      <LoadingPart
        loading={loading}
        of={({ hits, q, ignored, uncatalogued }) =>
          hits.length > 0 || uncatalogued ? (
            <>
              {q !== text && <p class="quiet">Results for “{q}”.</p>}
              <Ignored words={ignored} />
              <ul class="results">
                {uncatalogued && (
                  <li>
                    <a href={courseAddress(uncatalogued.id)}>
                      <HitLine
                        hit={{
                          title: `${uncatalogued.department} ${uncatalogued.courseNumber}`,
                          subtitle: `${uncatalogued.title}: not in the catalogue`,
                          kind: "course",
                        }}
                      />
                    </a>
                  </li>
                )}
                {hits.map((hit) => (
                  <li>
                    <a href={hitAddress(hit)}>
                      <HitLine hit={hit} />
                    </a>
                  </li>
                ))}
              </ul>
            </>
          ) : isEmpty ? (
            <>
              <p class="text">
                Check the spelling, or try a course (<em>I&amp;C SCI 46</em>), an instructor, a department, a five-digit
                section code, or a description such as{" "}
                <a href={findAddress({ q: "open GE IV TuTh afternoon" })}>open GE IV TuTh afternoon</a>. You can also{" "}
                <a href={findAddress({})}>choose filters</a>.
              </p>
              <Categories />
              <h2>Departments</h2>
              <Departments />
            </>
          ) : null
        }
      />
    </>
  );
}
