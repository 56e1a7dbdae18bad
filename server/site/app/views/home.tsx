/** Where a student begins. */
import { useTerm, termTitle } from "../data/terms.ts";
import { PageTitle } from "../parts/page-title.tsx";
import { SearchField } from "../shell/search-field.tsx";

export function HomeView() {
  const term = useTerm();
  return (
    <>
      <PageTitle title={termTitle(term)}>What do you want to take?</PageTitle>
      <SearchField isLarge />
    </>
  );
}
