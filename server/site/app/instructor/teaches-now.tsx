/** The sections of a person in the term of the site, then in the other terms that are not over. */
import { useContext } from "preact/hooks";
import type { ResponseBody } from "../data/fetch-json.ts";
import { SiteContext, termsNotOver, useTerm } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { Loaded } from "../parts/loaded.tsx";
import { scheduleAddresses, type SectionLine, toSectionLines } from "../data/sections.ts";
import { ShowMore } from "../parts/show-more.tsx";
import { SectionTable } from "../parts/sections.tsx";
import { plural } from "../format.ts";
import { mayMean } from "./meant.ts";

type Schedule = ResponseBody<"Schedule">;

/** The most terms that are requested; a schedule is published two or three terms ahead. */
const MOST_TERMS = 4;

/** Of a term, before the rest is asked for. */
const MAX_SECTIONS = 6;
/** Study with one student at a time, of which a person may have fifteen sections. */
const INDEPENDENT: ReadonlySet<string> = new Set(["Tut", "Res", "Tap", "Fld"]);
const isStudy = ({ sectionType }: SectionLine): boolean => INDEPENDENT.has(sectionType);

interface TeachesNowProps {
  /** In the schedule's form. */
  readonly name: string;
  /** Of whoever has the name, where it is known. */
  readonly netid: string | undefined;
  /** Classes, or study with one student at a time. */
  readonly what: "classes" | "study";
}

export function TeachesNow({ name, netid, what }: TeachesNowProps) {
  const site = useContext(SiteContext);
  const chosen = useTerm();
  const shown = [...new Set([chosen, ...termsNotOver(site)])].filter((term) => term !== "").slice(0, MOST_TERMS);
  const [last = "", first = ""] = name.split(", ");
  // A comma after the last name ends it.
  const instructorName = first === "" ? `${last},` : name;
  const addresses = shown.flatMap((term) => scheduleAddresses(term, { instructorName, instructorIds: "true" }));
  return (
    <Loaded<readonly Schedule[]> addresses={addresses}>
      {(...schedules) => {
        const found = shown.flatMap((term, i) => {
          const [live, cancelled] = [schedules[2 * i], schedules[2 * i + 1]];
          const all = live && cancelled ? toSectionLines(live, cancelled) : [];
          const sections = netid === undefined ? all : all.filter((section) => mayMean(netid, section));
          return sections.length > 0 ? [{ term, sections }] : [];
        });
        const wanted = found
          .map(({ term, sections }) => ({
            term,
            sections: sections.filter((section) => isStudy(section) === (what === "study")),
          }))
          .filter(({ sections }) => sections.length > 0);
        if (wanted.length === 0 && what === "study") return null;
        const terms = shown.map(termTitle).join(", ") || "a published term";
        if (wanted.length === 0)
          return (
            <p>
              {found.length === 0 ? `No sections in ${terms}.` : `Only independent study in ${terms}, listed below.`}
            </p>
          );
        const tables = wanted.map(({ term, sections }) => (
          <>
            <h3>{termTitle(term)}</h3>
            <ShowMore name={`${what} ${term}`} of={sections} limit={MAX_SECTIONS}>
              {(some) => (
                <SectionTable
                  sections={some}
                  term={term}
                  caption={`${plural(sections.length, "section")} in ${termTitle(term)}`}
                  taughtBy={name}
                />
              )}
            </ShowMore>
          </>
        ));
        return (
          <>
            {what === "study" && <h2>Independent study</h2>}
            {tables}
          </>
        );
      }}
    </Loaded>
  );
}
