/** Sections and enrollment of one term, with a choice of terms. */
import { useEffect, useId, useState } from "preact/hooks";
import { addressOf, type ResponseBody, fetchJson, errorMessage } from "./fetch-json.ts";
import { EnrollmentCurves, type EnrollmentRecord } from "./enrollment.tsx";
import { JsonLink } from "./json-link.tsx";
import { sectionsIn, type SectionLine, SectionTable } from "./sections.tsx";
import { publishedTerms, termQuery } from "./terms.ts";
import { plural } from "./format.ts";

const MAX_TERMS_TRIED = 6;

type Query = Readonly<Record<string, string>>;

export interface TermRequest {
  readonly filter: Query;
  /** Parameters of `/enrollmentHistory`; without them there is no chart. */
  readonly history?: Query;
}

interface TermData {
  readonly term: string;
  readonly address: string;
  readonly sections: readonly SectionLine[];
  readonly past?: { readonly address: string; readonly records: readonly EnrollmentRecord[] };
}

async function fetchTerm(term: string, { filter, history }: TermRequest, signal: AbortSignal): Promise<TermData> {
  const address = addressOf("/schedule", { ...termQuery(term), ...filter, cacheOnly: "true" });
  const sections = sectionsIn(await fetchJson<ResponseBody<"Schedule">>(address, signal));
  if (!history || sections.length === 0) return { term, address, sections };
  const past = addressOf("/enrollmentHistory", { ...termQuery(term), ...history });
  return { term, address, sections, past: { address: past, records: await fetchJson(past, signal) } };
}

/** The requested term, or the newest of `terms` with sections; undefined without any term. */
export async function fetchFirstTerm(
  request: TermRequest,
  terms: readonly string[],
  requested: string | undefined,
  signal: AbortSignal,
): Promise<TermData | undefined> {
  let found: TermData | undefined;
  for (const term of requested ? [requested] : terms.slice(0, MAX_TERMS_TRIED)) {
    found = await fetchTerm(term, request, signal);
    if (found.sections.length > 0) break;
  }
  return found;
}

interface TermPartProps {
  readonly request: TermRequest;
  readonly first: TermData | undefined;
  /** The code of the section highlighted in the first term. */
  readonly chosen?: string | undefined;
  readonly onTermChange: ((term: string) => void) | undefined;
  readonly withCourse?: boolean;
}

export function TermPart({ request, first, chosen, onTermChange, withCourse = false }: TermPartProps) {
  const id = useId();
  const [term, setTerm] = useState(first?.term);
  const [shown, setShown] = useState<TermData | { term: string; problem: string } | undefined>(first);
  useEffect(() => {
    if (term === undefined || term === shown?.term) return undefined;
    const controller = new AbortController();
    fetchTerm(term, request, controller.signal).then(setShown, (error: unknown) => {
      if (!controller.signal.aborted) setShown({ term, problem: errorMessage(error) });
    });
    return () => controller.abort();
  }, [term]);

  if (!shown) return <p class="quiet">No term of the schedule is published.</p>;
  const choose = (next: string) => {
    onTermChange?.(next);
    setTerm(next);
  };
  return (
    <div>
      <p class="choice">
        <label for={id}>Term </label>
        <select id={id} value={term} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {publishedTerms().map((one) => (
            <option value={one}>{one}</option>
          ))}
        </select>
      </p>
      <div aria-busy={term !== shown.term}>
        {"problem" in shown ? (
          <p role="alert" class="problem">
            {shown.problem}
          </p>
        ) : (
          <OneTerm
            key={shown.term}
            data={shown}
            chosen={shown === first ? chosen : undefined}
            withCourse={withCourse}
          />
        )}
      </div>
    </div>
  );
}

interface OneTermProps {
  readonly data: TermData;
  readonly chosen: string | undefined;
  readonly withCourse: boolean;
}

function OneTerm({ data: { term, address, sections, past }, chosen, withCourse }: OneTermProps) {
  const caption = `${plural(sections.length, "section")} in ${term}, as of the last refresh`;
  return (
    <>
      {sections.length === 0 ? (
        <p class="quiet">No sections in {term}.</p>
      ) : (
        <SectionTable sections={sections} caption={caption} chosen={chosen} withCourse={withCourse} />
      )}
      <JsonLink name="these sections" address={address} />
      {past && (
        <>
          <h3>Enrollment in {term}</h3>
          <EnrollmentCurves records={past.records} chosen={chosen} />
          <JsonLink name="this enrollment history" address={past.address} />
        </>
      )}
    </>
  );
}
