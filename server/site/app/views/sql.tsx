/** SQL over the published tables, in the browser. */
import { useLocation } from "preact-iso";
import { BASE } from "../data/addresses.ts";
import { PageTitle } from "../parts/page-title.tsx";
import { SqlBox } from "../sql/sql-box.tsx";

export const SqlView = () => (
  <>
    <PageTitle title="SQL">SQL</PageTitle>
    <SqlBox shared={useLocation().query["q"]} files={`${BASE}assets/${SQL_FILES}`} />
  </>
);
