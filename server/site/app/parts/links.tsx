/** Links to views, and to the JSON behind their parts. */
import { courseAddress, explanationOf } from "../data/addresses.ts";

/** `I&C SCI 46`. */
export const CourseLink = ({ name }: { name: string }) => <a href={courseAddress(name.replaceAll(" ", ""))}>{name}</a>;

interface SourceLink {
  readonly words: string;
  readonly address: string;
}

/** The ways to the data behind an address. */
const sourceLinks = (address: string): readonly SourceLink[] => [
  { words: "Data source and SQL", address: explanationOf(address) },
  { words: "JSON", address },
  { words: "CSV", address: `${address}${address.includes("?") ? "&" : "?"}format=csv` },
];

/** Where the numbers of a part come from: one small menu. */
export const SourceMenu = ({ name, address }: { name: string; address: string }) => (
  <details class="source">
    <summary aria-label={`Source of ${name}`}>Source</summary>
    <ul>
      {sourceLinks(address).map((link) => (
        <li>
          <a href={link.address}>{link.words}</a>
        </li>
      ))}
    </ul>
  </details>
);

export type Sources = readonly (readonly [part: string, address: string | undefined])[];

/** One menu for all parts of a page. */
export const SourcesMenu = ({ sources }: { sources: Sources }) => (
  <details class="source">
    <summary>Sources</summary>
    <ul>
      {sources.map(
        ([part, address]) =>
          address !== undefined && (
            <li>
              {part}:{" "}
              {sourceLinks(address).map((link, i) => (
                <>
                  {i > 0 && " · "}
                  <a href={link.address} aria-label={`${part}: ${link.words}`}>
                    {link.words}
                  </a>
                </>
              ))}
            </li>
          ),
      )}
    </ul>
  </details>
);
