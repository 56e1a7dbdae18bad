/** Notes above the results of a search: the term that the address chooses, and words that were ignored. */
import { useLocation } from "preact-iso";
import { useContext } from "preact/hooks";
import { termIn } from "../data/addresses.ts";
import { termTitle } from "../data/term-names.ts";
import { publishedTerms, SiteContext } from "../data/terms.ts";

/** Removes the term from the address, which brings back the default. */
export function TermChip() {
  const site = useContext(SiteContext);
  useLocation();
  const { pathname, search } = globalThis.location;
  const term = termIn(globalThis.location);
  if (term === undefined || !publishedTerms(site).includes(term)) return null;
  const query = new URLSearchParams(search);
  query.delete("term");
  const name = termTitle(term);
  return (
    <ul class="chips">
      <li>
        <a href={`${pathname}?${query}`} aria-label={`Remove ${name}`}>
          <span aria-hidden="true">✕ </span>
          {name}
        </a>
      </li>
    </ul>
  );
}

export const Ignored = ({ words }: { readonly words: readonly string[] }) =>
  words.length === 0 ? null : (
    <p class="quiet ignored">
      No match for {words.map((word) => `“${word}”`).join(", ")}. Showing results without{" "}
      {words.length === 1 ? "it" : "them"}.
    </p>
  );
