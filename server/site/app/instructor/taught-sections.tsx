/** The sections of a person in the term of the site, and links to the other terms that are not over. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { instructorAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import { SiteContext, termsNotOver, useTerm } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { useJson } from "../data/use-json.ts";
import { plural } from "../format.ts";
import { LoadingPart } from "../parts/loaded.tsx";
import { SectionTable } from "../parts/sections.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { mayMean } from "./meant.ts";

type Schedule = ResponseBody<"Schedule">;

/** The most terms that are requested; a schedule is published two or three terms ahead. */
const MAX_TERMS = 4;
/** The sections that are shown at first. */
const MAX_SECTIONS = 6;
/** Study with one student at a time, of which a person may have fifteen sections. */
const INDEPENDENT: ReadonlySet<string> = new Set(["Tut", "Res", "Tap", "Fld"]);

interface TaughtSectionsProps {
  /** In the schedule's form. */
  readonly name: string;
  /** Undefined for somebody whom the directory does not have. */
  readonly netid: string | undefined;
  /** Follows when the sections are there, so that it does not move. */
  readonly children: ComponentChildren;
}

export function TaughtSections({ name, netid, children }: TaughtSectionsProps) {
  const site = useContext(SiteContext);
  const chosen = useTerm();
  const terms = [...new Set([chosen, ...termsNotOver(site)])].filter((term) => term !== "").slice(0, MAX_TERMS);
  const [last = "", first = ""] = name.split(", ");
  // A comma after the last name ends it.
  const instructorName = first === "" ? `${last},` : name;
  const addresses = terms.flatMap((term) => scheduleAddresses(term, { instructorName, instructorIds: "true" }));
  const loading = useJson<readonly Schedule[]>(addresses);
  return (
    <>
      <LoadingPart
        loading={loading}
        lines={14}
        of={(schedules) => {
          const [inTerm = [], ...others] = terms.map((_, i) => {
            const [live, cancelled] = [schedules[2 * i], schedules[2 * i + 1]];
            const sections = live && cancelled ? toSectionLines(live, cancelled) : [];
            return netid === undefined ? sections : sections.filter((section) => mayMean(netid, section));
          });
          return (
            <>
              <InTerm sections={inTerm} term={chosen} name={name} />
              <OtherTerms
                id={netid ?? name}
                terms={others.flatMap((sections, i) => {
                  const term = terms[i + 1];
                  return term !== undefined && sections.length > 0 ? [{ term, count: sections.length }] : [];
                })}
              />
            </>
          );
        }}
      />
      {(loading.value ?? loading.problem) !== undefined && children}
    </>
  );
}

interface InTermProps {
  readonly sections: readonly SectionLine[];
  readonly term: string;
  readonly name: string;
}

function InTerm({ sections, term, name }: InTermProps) {
  const isStudy = ({ sectionType }: SectionLine) => INDEPENDENT.has(sectionType);
  const [classes, study] = [sections.filter((section) => !isStudy(section)), sections.filter(isStudy)];
  const tableOf = (some: readonly SectionLine[], noun: string) => (
    <ShowMore name={`${noun} ${term}`} of={some} limit={MAX_SECTIONS}>
      {(shown) => (
        <SectionTable
          sections={shown}
          term={term}
          caption={`${plural(some.length, noun)} in ${termTitle(term)}`}
          taughtBy={name}
        />
      )}
    </ShowMore>
  );
  return (
    <>
      {classes.length > 0 ? (
        tableOf(classes, "section")
      ) : (
        <p>
          {study.length > 0 ? `Only independent study in ${termTitle(term)}.` : `No sections in ${termTitle(term)}.`}
        </p>
      )}
      {study.length > 0 && (
        <details class="study">
          <summary>{plural(study.length, "independent study section")}</summary>
          {tableOf(study, "independent study section")}
        </details>
      )}
    </>
  );
}

interface OtherTermsProps {
  /** The id in the address of the person's page. */
  readonly id: string;
  readonly terms: readonly { readonly term: string; readonly count: number }[];
}

const OtherTerms = ({ id, terms }: OtherTermsProps) =>
  terms.length === 0 ? null : (
    <ul class="chips" aria-label="Other terms">
      {terms.map(({ term, count }) => (
        <li key={term}>
          <a href={instructorAddress(id, { term })}>
            {termTitle(term)}: {plural(count, "section")}
          </a>
        </li>
      ))}
    </ul>
  );
