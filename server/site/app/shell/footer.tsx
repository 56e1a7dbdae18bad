/** How fresh the data is, and the views that programs and operators need. */
import { useContext } from "preact/hooks";
import { resourceAddress, viewAddress } from "../data/addresses.ts";
import { SiteContext } from "../data/terms.ts";
import { Ago, Overdue } from "../parts/ago.tsx";

export function Footer() {
  const { snapshot } = useContext(SiteContext);
  return (
    <footer>
      {snapshot ? (
        <p>
          Published <Ago time={snapshot.createdAt} />
          <Overdue since={snapshot.overdueSince} />. <a href={viewAddress("/status")}>Status</a>
        </p>
      ) : (
        <p>
          No data has been published yet. <a href={viewAddress("/status")}>Status</a>
        </p>
      )}
      <p>
        For programs: <a href={viewAddress("/docs")}>reference</a>,{" "}
        <a href={resourceAddress("/v1/openapi.json")}>OpenAPI</a>, <a href={viewAddress("/data")}>files</a>
      </p>
    </footer>
  );
}
