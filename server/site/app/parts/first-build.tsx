/** Says that older terms are being added, until a first build is complete. */
import { useContext } from "preact/hooks";
import { viewAddress } from "../data/addresses.ts";
import { SiteContext } from "../data/terms.ts";
import { olderTermsText } from "../format.ts";

export function FirstBuildNotice() {
  const { snapshot } = useContext(SiteContext);
  // An index from the cache of an older version has no such field.
  if (typeof snapshot?.olderTerms !== "number") return null;
  return (
    <aside class="banner" aria-label="First build">
      <span>
        <strong>Just started:</strong> {olderTermsText(snapshot.terms.length, snapshot.olderTerms)}.{" "}
        <a href={viewAddress("/status")}>Status</a>
      </span>
    </aside>
  );
}
