/** For addresses that lead nowhere. */
import { useLocation } from "preact-iso";
import { viewAddress } from "../data/addresses.ts";
import { Meant } from "../parts/meant.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { SearchField } from "../shell/search-field.tsx";

/** The last part of the address that is no word of this site. */
function textIn(pathname: string): string {
  const last = pathname.split("/").findLast(Boolean) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

export const NotFoundView = () => (
  <>
    <PageTitle title="Not found">Page not found</PageTitle>
    <p>The link may be incomplete. Search for a course, instructor, department or section code:</p>
    <SearchField isLarge />
    <Meant text={textIn(useLocation().path)} />
    <p>
      Or go to the <a href={viewAddress("/")}>home page</a>, or <a href={viewAddress("/find")}>find classes</a>.
    </p>
  </>
);
