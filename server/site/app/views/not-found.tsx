/** For addresses that lead nowhere. */
import { viewAddress } from "../data/addresses.ts";
import { PageTitle } from "../parts/page-title.tsx";
import { SearchField } from "../shell/search-field.tsx";

export const NotFoundView = () => (
  <>
    <PageTitle title="Not found">There is nothing at this address</PageTitle>
    <p>Perhaps the link was cut off. Search for a course, a person, a department or a section code:</p>
    <SearchField isLarge />
    <p>
      Or begin at the <a href={viewAddress("/")}>home page</a>, or <a href={viewAddress("/find")}>find classes</a>.
    </p>
  </>
);
