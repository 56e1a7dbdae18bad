/** Where a student begins. */
import { useContext } from "preact/hooks";
import { publishedTerms, SiteContext, useTerm } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { Categories, Departments } from "../home/departments.tsx";
import { Examples } from "../home/examples.tsx";
import { ChangeCards, TermCard } from "../home/term-cards.tsx";
import { WeekCard } from "../home/week-card.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { SearchField } from "../shell/search-field.tsx";

export function HomeView() {
  const site = useContext(SiteContext);
  const term = useTerm();
  return (
    <div class="home">
      <PageTitle title={term === "" ? "Home" : termTitle(term)}>
        What do you want to take{term !== "" && ` in ${termTitle(term)}`}?
      </PageTitle>
      <SearchField isLarge />
      {site.snapshot && (
        <>
          {term !== "" && <Examples term={term} />}
          <div class="cards">
            {publishedTerms(site).length > 0 && (
              <>
                <TermCard term={term} />
                <ChangeCards term={term} />
              </>
            )}
            <WeekCard />
          </div>
          <Categories />
          <h2 id="departments">Departments</h2>
          <Departments />
        </>
      )}
    </div>
  );
}
