/** `Warning` (RFC 7234 §5.5): 299 for ignored parameters, with suggestions, and 110 for stale partitions. */
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { Endpoint } from "./endpoint.ts";
import { nameHere } from "./other-names.ts";
import type { Params } from "./params.ts";
import { shown } from "./problem.ts";
import { closestNames } from "../../pipeline/settings/closest-names.ts";

/** Keep the header short. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** Encodes client input for a header: percent-encoded and truncated between two characters. */
export const inHeader = (text: string): string =>
  encodeURIComponent(text)
    .slice(0, MAX_NAME_LENGTH)
    .replace(/%[\dA-F]?$/, "");

/** Escapes a text for the quotation marks of a header; characters that are not allowed there are percent-encoded. */
export const quotable = (text: string): string => text.replace(/[^ !#-[\]-~]+/g, (other) => encodeURIComponent(other));

/** Decodes percent-encoded text; other text stays as it is. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const toWarning = (text: string): string => `299 - "${quotable(text)}"`;

const meant = (name: string, params: Params): string => {
  const match = meantParameter(name, Object.keys(params));
  return didYouMean(match === undefined ? [] : [match]);
};

/**
 * Builds a text for each of the first names, with the parameter that was probably meant, and one for the number of
 * further names.
 */
function tell(unknown: readonly string[], params: Params, say: (name: string) => string, ignored: string): string[] {
  const more = unknown.length - MAX_NAMED;
  return [
    ...unknown.slice(0, MAX_NAMED).map((name) => `${say(name)}${meant(name, params)}`),
    ...(more > 0 ? [`${more} more unknown parameters${ignored}`] : []),
  ];
}

export const unknownWarnings = (unknown: readonly string[], params: Params): string[] =>
  tell(
    unknown,
    params,
    (name) => `unknown parameter ${inHeader(name)} ignored: the response is not filtered by it`,
    " ignored",
  ).map(toWarning);

/** Returns the texts for the message of a 400; unknown parameters are errors with `strict`. */
export const unknownProblems = (unknown: readonly string[], params: Params, strict: boolean): string[] =>
  strict
    ? tell(unknown, params, (name) => `Unknown parameter ${shown(name)}`, "")
    : tell(unknown, params, (name) => `Ignored unknown parameter ${shown(name)}`, " ignored");

/** Names with a common prefix of this length count as similar: `instructor` and `instructorName`. */
const MIN_PREFIX = 4;

/** Returns the candidate with the longest common prefix, ignoring case. */
function longestPrefix(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const shared = (candidate: string) => {
    const other = candidate.toLowerCase();
    let length = 0;
    while (length < typed.length && typed[length] === other[length]) length++;
    return length;
  };
  const [best] = candidates
    .map((candidate) => ({ candidate, length: shared(candidate) }))
    .filter(({ length }) => length >= MIN_PREFIX)
    .sort((a, b) => b.length - a.length);
  return best?.candidate;
}

/** Returns the parameter that an unknown name resembles (server/RULES.md, HTTP). */
export function meantParameter(name: string, paramNames: readonly string[]): string | undefined {
  // Bounds the work; no parameter has a longer name.
  const typed = name.slice(0, 60);
  const here = nameHere(typed, paramNames);
  // A name with a known other meaning must not be matched by its letters.
  if (here !== undefined) return here === "" ? undefined : here;
  return closestNames(typed, paramNames)[0] ?? longestPrefix(typed, paramNames);
}

/** Returns `. Did you mean A, B or C?`, the end of a sentence; empty without suggestions. */
export function didYouMean(words: readonly string[]): string {
  if (words.length === 0) return "";
  const last = words.at(-1) ?? "";
  return `. Did you mean ${words.length === 1 ? last : `${words.slice(0, -1).join(", ")} or ${last}`}?`;
}

/**
 * Warns about partitions whose newer version was refused: they are as old as their last check. A partition of a year
 * or quarter that was not requested is not part of the response.
 */
export function staleWarnings(
  { tables }: Pick<Endpoint, "tables">,
  values: Readonly<Record<string, unknown>>,
  { withheld = [] }: Freshness,
): string[] {
  const matchesRequest = (name: "year" | "quarter", of: string | undefined) => {
    const requested = values[name];
    return of === undefined || requested === undefined || [requested].flat().includes(of);
  };
  const partitions = withheld.filter(
    ({ table, partition: { year, quarter } }) =>
      (tables as readonly string[]).includes(table) &&
      matchesRequest("year", year) &&
      matchesRequest("quarter", quarter),
  );
  return partitions
    .slice(0, MAX_NAMED)
    .map(({ title, since }) => `110 - "${title}: stale since ${since}, a newer version was refused"`);
}
