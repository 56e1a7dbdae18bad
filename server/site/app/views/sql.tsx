/** SQL over the published tables, in the browser. */
import { BASE } from "../data/addresses.ts";
import { PageTitle } from "../parts/page-title.tsx";
import { SqlBox } from "../sql/sql-box.tsx";
import { TableList } from "../sql/table-list.tsx";

export const SqlView = () => (
  <>
    <PageTitle title="SQL">SQL</PageTitle>
    <div class="sql">
      <SqlBox files={`${BASE}assets/${SQL_FILES}`} />
      <TableList />
    </div>
  </>
);
