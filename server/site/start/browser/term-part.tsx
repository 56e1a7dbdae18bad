/** The part of a view that belongs to one term: its sections and their enrollment, with a choice of terms. */
import { useEffect, useId, useState } from "preact/hooks";
import { addressOf, type Answer, ask, messageOf } from "./ask.ts";
import { EnrollmentCurves, type EnrollmentRecord } from "./enrollment.tsx";
import { JsonLink } from "./json-link.tsx";
import { sectionsIn, type SectionLine, SectionTable } from "./sections.tsx";
import { publishedTerms, termQuery } from "./terms.ts";
import type { Asked } from "./view.ts";
import { plural } from "./words.ts";

/** How many of the newest terms are tried for one that has sections. */
const TRIES = 6;

type Query = Readonly<Record<string, string>>;

export interface TermWish {
  /** Parameters of the schedule. */
  readonly filter: Query;
  /** Parameters of the enrollment history; without them there is no curve. */
  readonly history?: Query;
}

interface TermData {
  readonly term: string;
  readonly address: string;
  readonly sections: readonly SectionLine[];
  readonly past?: { readonly address: string; readonly records: readonly EnrollmentRecord[] };
}

async function fetchTerm(term: string, { filter, history }: TermWish, signal: AbortSignal): Promise<TermData> {
  const address = addressOf("/schedule", { ...termQuery(term), ...filter, cacheOnly: "true" });
  const sections = sectionsIn(await ask<Answer<"Schedule">>(address, signal));
  if (!history || sections.length === 0) return { term, address, sections };
  const past = addressOf("/enrollmentHistory", { ...termQuery(term), ...history });
  return { term, address, sections, past: { address: past, records: await ask(past, signal) } };
}

/** The asked term, or the newest of `terms` that has sections; undefined when there is no term. */
export async function fetchFirstTerm(
  wish: TermWish,
  terms: readonly string[],
  asked: Asked,
  signal: AbortSignal,
): Promise<TermData | undefined> {
  let found: TermData | undefined;
  for (const term of asked.term ? [asked.term] : terms.slice(0, TRIES)) {
    found = await fetchTerm(term, wish, signal);
    if (found.sections.length > 0) break;
  }
  return found;
}

interface TermPartProps {
  readonly wish: TermWish;
  readonly first: TermData | undefined;
  /** A section's code, to be marked in the first term. */
  readonly chosen?: string | undefined;
  readonly remember: ((term: string) => void) | undefined;
  readonly withCourse?: boolean;
}

export function TermPart({ wish, first, chosen, remember, withCourse = false }: TermPartProps) {
  const id = useId();
  const [term, setTerm] = useState(first?.term);
  const [shown, setShown] = useState<TermData | { term: string; problem: string } | undefined>(first);
  useEffect(() => {
    if (term === undefined || term === shown?.term) return undefined;
    const left = new AbortController();
    fetchTerm(term, wish, left.signal).then(setShown, (error: unknown) => {
      if (!left.signal.aborted) setShown({ term, problem: messageOf(error) });
    });
    return () => left.abort();
  }, [term]);

  if (!shown) return <p class="quiet">No term of the schedule is published.</p>;
  const choose = (next: string) => {
    remember?.(next);
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
