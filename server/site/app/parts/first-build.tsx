/** Says that older terms are being added, until a first build is complete. */
import { useContext } from "preact/hooks";
import { viewAddress } from "../data/addresses.ts";
import { SiteContext } from "../data/terms.ts";

/** `older terms are being added, 15 of 79 are published` */
export const olderTermsText = (published: number, olderTerms: number): string =>
  `older terms are being added, ${published} of ${published + olderTerms} are published`;

export function FirstBuildNotice() {
  const { snapshot } = useContext(SiteContext);
  if (snapshot === null || snapshot.olderTerms === null) return null;
  return (
    <aside class="banner" aria-label="First build">
      <span>
        <strong>Just started:</strong> {olderTermsText(snapshot.terms.length, snapshot.olderTerms)}.{" "}
        <a href={viewAddress("/status")}>Status</a>
      </span>
    </aside>
  );
}
