/** What a text finds: the view of its filters, or courses, people, departments, sections and words of the schedule. */
import { useContext, useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Course } from "../course/course-node.tsx";
import { lookUpUncatalogued } from "../course/uncatalogued-course.ts";
import { addressOf, courseAddress, findAddress } from "../data/addresses.ts";
import { fetchJson } from "../data/fetch-json.ts";
import { findWords } from "../data/glossary.ts";
import { publishedTerms, SiteContext, useTerm } from "../data/terms.ts";
import { type Loading, useJson, useLoading } from "../data/use-json.ts";
import { type Hit, hitAddress, HitLine } from "../parts/hits.tsx";
import { LoadingPart, Skeleton } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { type Filters, filtersIn } from "./filters.ts";
import { readText } from "./read-text.ts";
import { unusedWords, writtenOut } from "./search-text.ts";
import { capitalized } from "./sentence.ts";
import { Words } from "./words.tsx";

const MAX_LENGTH = 200;
const MAX_HITS = "50";
/** Scores of hits: the text is the code or the name, or a word of the name. */
const SURE = 0.9;
const NAMED = 0.7;

const searchAddress = (q: string, limit: string) => addressOf("/search", { q: q.slice(0, MAX_LENGTH), limit });

export function FoundText({ text }: { readonly text: string }) {
  const { filters, rest } = readText(text);
  return Object.keys(filters).length === 0 ? (
    <Hits text={text} />
  ) : (
    <ToFilters filters={filters} rest={writtenOut(rest) ?? rest} />
  );
}

/** A department, a course, a person or a section as the filters of the link to its sections; anything else is looked for in titles. */
function filtersOf(rest: string, hit: Hit | undefined): Filters {
  if (!hit || hit.score < (hit.kind === "instructor" ? NAMED : SURE)) return { courseTitle: rest };
  const { searchParams } = new URL(hit.links["sections"] ?? hit.links["self"] ?? "", globalThis.location.href);
  return filtersIn(Object.fromEntries(searchParams));
}

function ToFilters({ filters, rest }: { readonly filters: Filters; readonly rest: string }) {
  const { route } = useLocation();
  const { value, problem } = useJson<[Hit[]]>(rest === "" ? undefined : [searchAddress(rest, "1")]);
  const isKnown = rest === "" || value !== undefined || problem !== undefined;
  useEffect(() => {
    if (isKnown) route(findAddress({ ...filters, ...(rest === "" ? {} : filtersOf(rest, value?.[0][0])) }), true);
  }, [isKnown]);
  return (
    <>
      <PageTitle title="Find classes">Find classes</PageTitle>
      <Skeleton lines={6} />
    </>
  );
}

/** Short forms are written out; where that finds nothing, the text is looked for as it stands. */
function useHits(text: string): Loading<Found> {
  const term = useTerm();
  const terms = [term, ...publishedTerms(useContext(SiteContext))];
  const meant = writtenOut(text);
  return useLoading(`${text} ${term}`, async () => {
    const asked = [...(meant === undefined ? [] : [meant]), text];
    for (const q of asked) {
      const hits = await fetchJson<readonly Hit[]>(searchAddress(q, MAX_HITS));
      if (hits.length > 0) return { hits, q, uncatalogued: await scheduledOnly(q, hits, terms) };
    }
    return { hits: [], q: text, uncatalogued: await scheduledOnly(meant ?? text, [], terms) };
  });
}

interface Found {
  readonly hits: readonly Hit[];
  /** What they were found by. */
  readonly q: string;
  readonly uncatalogued: Course | undefined;
}

/** A course by its name, where the search has none. */
const scheduledOnly = async (q: string, hits: readonly Hit[], terms: readonly string[]): Promise<Course | undefined> =>
  hits.some(({ kind, score }) => kind === "course" && score >= SURE)
    ? undefined
    : lookUpUncatalogued(q.toUpperCase(), terms).catch(() => undefined);

function Hits({ text }: { readonly text: string }) {
  const words = findWords(text);
  return (
    <>
      <PageTitle title={`Found for “${text}”`}>
        Found for “<bdi>{text}</bdi>”
      </PageTitle>
      {words.length > 0 && <Words entries={words} />}
      <LoadingPart
        loading={useHits(text)}
        of={({ hits, q, uncatalogued }) =>
          hits.length > 0 || uncatalogued ? (
            <>
              <Unused text={q} hits={hits} isWrittenOut={q !== text} />
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
          ) : words.length === 0 ? (
            <>
              <p class="lead">
                Nothing is called “<bdi>{text}</bdi>”, or nearly so.
              </p>
              <p class="text">
                Try a course such as <em>I&amp;C SCI 46</em>, the name of a person or a department, a section code of
                five digits, or what you need:{" "}
                <a href={findAddress({ q: "open GE IV TuTh afternoon" })}>open GE IV TuTh afternoon</a>. Or{" "}
                <a href={findAddress({})}>choose filters</a>.
              </p>
            </>
          ) : null
        }
      />
    </>
  );
}

/** `As “organic chemistry”, without “heindrustru”.` */
function Unused({ text, hits, isWrittenOut }: { text: string; hits: readonly Hit[]; isWrittenOut: boolean }) {
  const unused = unusedWords(text, hits);
  const parts = [
    ...(isWrittenOut ? [`as “${text}”`] : []),
    ...(unused.length > 0 ? [`without ${unused.map((word) => `“${word}”`).join(", ")}`] : []),
  ];
  return parts.length === 0 ? null : <p class="quiet">{capitalized(parts.join(", "))}.</p>;
}
