/** Sections and enrollment of one term, with a choice of terms. */
import { useEffect, useId, useState } from "preact/hooks";
import { addressOf, type ResponseBody, fetchJson, errorMessage } from "../fetch-json.ts";
import { type Change, ChangeList, changesAddress, fetchChanges } from "../changes.tsx";
import { Follow } from "../follow.tsx";
import { EnrollmentCurves, type EnrollmentRecord } from "../charts/enrollment.tsx";
import { JsonLink } from "../links.tsx";
import { type SectionLine, toSectionLines, SectionTable } from "./sections.tsx";
import { publishedTerms, termQuery } from "../terms.ts";
import { plural } from "../format.ts";

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
  readonly past?: {
    readonly address: string;
    readonly records: readonly EnrollmentRecord[];
    /** Also an event stream. */
    readonly changesAddress: string;
    readonly changes: readonly Change[] | undefined;
  };
}

async function fetchTerm(term: string, { filter, history }: TermRequest, signal: AbortSignal): Promise<TermData> {
  const schedule = { ...termQuery(term), ...filter, cacheOnly: "true" };
  const address = addressOf("/schedule", { ...schedule, cancelledCourses: "Include" });
  const [all, cancelled] = await Promise.all([
    fetchJson<ResponseBody<"Schedule">>(address, signal),
    fetchJson<ResponseBody<"Schedule">>(addressOf("/schedule", { ...schedule, cancelledCourses: "Only" }), signal),
  ]);
  const sections = toSectionLines(all, cancelled);
  if (!history || sections.length === 0) return { term, address, sections };
  const query = { ...termQuery(term), ...history };
  const past = addressOf("/enrollmentHistory", query);
  const followed = changesAddress(query);
  const [records, changes] = await Promise.all([
    fetchJson<EnrollmentRecord[]>(past, signal),
    fetchChanges(followed, signal),
  ]);
  return { term, address, sections, past: { address: past, records, changes, changesAddress: followed } };
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
            request={request}
            initial={shown}
            chosen={shown === first ? chosen : undefined}
            withCourse={withCourse}
          />
        )}
      </div>
    </div>
  );
}

interface OneTermProps {
  readonly request: TermRequest;
  readonly initial: TermData;
  readonly chosen: string | undefined;
  readonly withCourse: boolean;
}

/** Several changes are published at once. */
const RELOAD_AFTER_MS = 300;

function OneTerm({ request, initial, chosen, withCourse }: OneTermProps) {
  const [data, setData] = useState(initial);
  const [news, setNews] = useState<readonly Change[]>([]);
  useEffect(() => {
    if (news.length === 0) return undefined;
    const controller = new AbortController();
    const load = () => fetchTerm(data.term, request, controller.signal).then(setData, () => undefined);
    const timer = setTimeout(load, RELOAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [news]);
  const { term, address, sections, past } = data;
  const changes = [...(initial.past?.changes ?? []), ...news];
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
          <h2>Enrollment in {term}</h2>
          <EnrollmentCurves
            records={past.records}
            sections={sections}
            changes={changes}
            chosen={chosen}
            address={past.address}
          />
          <JsonLink name="this enrollment history" address={past.address} />
          <h2>Changes in {term}</h2>
          {past.changes ? (
            <>
              <Follow address={past.changesAddress} onChange={(change) => setNews((before) => [...before, change])} />
              <ChangeList changes={changes} term={term} />
              <JsonLink name="these changes" address={past.changesAddress} />
            </>
          ) : (
            <p class="quiet">Changes are not available at the moment.</p>
          )}
        </>
      )}
    </>
  );
}
