/**
 * A few terms and departments of the sample campus, served like the whole, for a crawl of a second or two. Any system
 * can be out of order.
 */
import { serveWorld } from "../../../pipeline/campus/listening/server.ts";
import { createWorld } from "../../../pipeline/campus/world.ts";
import { ADDRESS_VARIABLES, type System } from "../../../pipeline/settings/pipeline.ts";
import { termName, type Term } from "../../../pipeline/contract/vocabulary.ts";

/** A day in the middle of 2019 Fall: Winter is over. */
export const OCTOBER = new Date("2019-10-10T18:00:00Z");

const DEPARTMENTS = 3;
/** Nobody listens on the port of the discard service. */
const NOWHERE = "http://127.0.0.1:9/";

/** `terms` are the names of those that the form offers. */
export async function openSmallCampus(terms: readonly string[], clock: () => Date = () => OCTOBER) {
  const whole = createWorld({ size: "standard", seed: 7, clock });
  const departments = whole.departments.slice(0, DEPARTMENTS);
  const codes = new Set(departments.map(({ code }) => code));
  const isOffered = (term: Term) => offered.has(termName(term));
  let offered: ReadonlySet<string> = new Set(terms);
  let failing: ReadonlySet<string> = new Set();
  let taughtBy = (names: readonly string[]): readonly string[] => names;
  const campus = await serveWorld({
    ...whole,
    departments,
    terms: () => whole.terms().filter(isOffered),
    gradedTerms: () => whole.gradedTerms().filter(isOffered),
    grades: (term) => whole.grades(term).filter(({ departmentCode }) => codes.has(departmentCode)),
    term(year, quarter) {
      if (failing.has(termName({ year, quarter }))) throw new Error("out of order");
      const generated = whole.term(year, quarter);
      const byDepartment = new Map(
        [...generated.byDepartment].map(([code, sections]) => [
          code,
          sections.map((section) => ({ ...section, instructors: taughtBy(section.instructors) })),
        ]),
      );
      return { ...generated, byDepartment };
    },
  });
  return {
    /** The addresses as configured; systems in `down` have one at which nobody answers. */
    urls: ({ down = [], only }: { down?: readonly System[]; only?: readonly System[] } = {}): Record<string, string> =>
      Object.fromEntries(
        Object.entries(ADDRESS_VARIABLES)
          .filter(([system]) => only?.includes(system as System) ?? true)
          .map(([system, name]) => [name, down.includes(system as System) ? NOWHERE : campus.urls[name]]),
      ),
    /** The form offers these from now on. */
    offer: (names: readonly string[]) => void (offered = new Set(names)),
    /** Searches of these terms fail. */
    fail: (names: readonly string[]) => void (failing = new Set(names)),
    /** Replaces the instructors of sections in searches by department. */
    teach: (change: typeof taughtBy) => void (taughtBy = change),
    close: () => campus.close(),
  };
}
