/** Search results as a list of links. */
import { type Hit, hitAddress } from "../links.tsx";

export const HitLine = ({ hit }: { hit: Hit }) => (
  <>
    <span class="hit">{hit.title}</span>
    <span class="subtitle">{hit.subtitle}</span>
    <span class="kind">{hit.kind}</span>
  </>
);

export function ResultList({ hits, text }: { hits: readonly Hit[]; text: string }) {
  if (hits.length === 0)
    return (
      <>
        <h1 tabIndex={-1}>Nothing found for “{text}”</h1>
        <p>
          Try fewer words, a department such as <a href="?q=math">math</a>, or a course number.
        </p>
      </>
    );
  return (
    <>
      <h1 tabIndex={-1}>Found for “{text}”</h1>
      <ol class="results">
        {hits.map((hit) => (
          <li>
            <a href={hitAddress(hit)}>
              <HitLine hit={hit} />
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}
