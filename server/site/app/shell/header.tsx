/** The header of every view: search, week, term, and the ways to the other views. */
import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso";
import { BASE, viewAddress } from "../data/addresses.ts";
import { publishedTerms, SiteContext, useTerm } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { usePlan } from "../plan/stored-plan.ts";
import { OfflineNotice } from "./offline-notice.tsx";
import { FirstBuildNotice } from "../parts/first-build.tsx";
import { SampleBanner } from "./sample-banner.tsx";
import { SearchField } from "./search-field.tsx";
import { Week } from "./week.tsx";

const LINKS = [
  ["/find", "Find"],
  ["/plan", "Plan"],
  ["/sql", "SQL"],
  ["/data", "Data"],
  ["/docs", "Reference"],
] as const;

function TermChoice() {
  const site = useContext(SiteContext);
  const term = useTerm();
  const { route } = useLocation();
  const choose = async (next: string) => {
    const [, year = "", quarter = "", code = ""] =
      /\/sections\/(\d{4})\/(\w+)\/(\d{5})$/.exec(globalThis.location.pathname) ?? [];
    // A code is of one term: elsewhere it is another section.
    if (code !== "") {
      const { courseOfSection } = await import("../data/section-course.ts");
      return route(await courseOfSection({ year, quarter, sectionCodes: code }, next));
    }
    const query = new URLSearchParams(globalThis.location.search);
    query.set("term", next);
    // The codes of a plan are of one term.
    query.delete("sections");
    query.delete("courses");
    return route(`${globalThis.location.pathname}?${query}`);
  };
  return (
    <select
      class="term"
      aria-label="Term"
      value={term}
      onChange={({ currentTarget }) => void choose(currentTarget.value)}
    >
      {publishedTerms(site).map((option) => (
        <option value={option}>{termTitle(option)}</option>
      ))}
    </select>
  );
}

export function Header() {
  const { path } = useLocation();
  const { codes } = usePlan(useTerm());
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="site-header">
        <a class="brand" href={viewAddress("/")}>
          Academic Data
        </a>
        <SearchField />
        <div class="when">
          <TermChoice />
          <Week />
        </div>
        <nav aria-label="Views">
          {LINKS.map(([to, name]) => (
            <a href={viewAddress(to)} aria-current={path === `${BASE}${to.slice(1)}` ? "page" : undefined}>
              {name}
              {to === "/plan" && codes.length > 0 && (
                <span class="count" aria-label={`${codes.length} sections`}>
                  {" "}
                  {codes.length}
                </span>
              )}
            </a>
          ))}
        </nav>
      </header>
      <OfflineNotice />
      <FirstBuildNotice />
      <SampleBanner />
    </>
  );
}
