/** Parses the headers that state a client's preferences: Accept (RFC 9110 §12.5.1), Accept-Encoding and Prefer. */
import type { Endpoint } from "./endpoint.ts";
import type { Representation } from "./representations/representation.ts";
import { REQUEST_LIMITS } from "./request-limits.ts";

export interface Preferred {
  /** The name in lower case, without parameters: `text/csv`, `gzip`, `*`. */
  readonly name: string;
  /** Parameters other than the weight. */
  readonly params: ReadonlyMap<string, string>;
  /** From 0, which refuses, to 1. An invalid weight counts as 0. */
  readonly weight: number;
}

/**
 * These split at a separator outside of quoted strings. They are unambiguous on malformed input, so that matching takes
 * linear time.
 */
const COMMAS = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/g;
const SEMICOLONS = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^";])+/g;

const unquoted = (text: string): string =>
  text.startsWith('"') ? text.slice(1).replace(/"$/, "").replace(/\\(.)/g, "$1") : text;

function readParameter(text: string): [name: string, value: string] {
  const separator = text.indexOf("=");
  return separator < 0
    ? [text.trim(), ""]
    : [text.slice(0, separator).trim(), unquoted(text.slice(separator + 1).trim())];
}

function readWeight(text: string | undefined): number {
  if (text === undefined) return 1;
  const weight = text === "" ? 0 : Number(text);
  return weight > 0 ? Math.min(weight, 1) : 0;
}

/** Parses the items of a header in their order. */
export const readPreferred = (header: string): Preferred[] =>
  (header.toLowerCase().match(COMMAS) ?? []).slice(0, REQUEST_LIMITS.accepted.most).flatMap((item) => {
    const [name = "", ...rest] = (item.match(SEMICOLONS) ?? []).map((part) => part.trim());
    const parameters = rest.map(readParameter);
    // Anything after the weight is an extension of the header, not a parameter of the type.
    const weightIndex = parameters.findIndex(([key]) => key === "q");
    const params = new Map(weightIndex < 0 ? parameters : parameters.slice(0, weightIndex));
    return name === "" ? [] : [{ name, params, weight: readWeight(parameters[weightIndex]?.[1]) }];
  });

/** A representation that can be sent, with its media type. */
export interface Offer<T> {
  readonly value: T;
  readonly type: Preferred;
  /** True if wildcards never select it. */
  readonly onlyByName: boolean;
}

/** Creates an offer. @param type the media type with its parameters: `text/csv; header=present` */
export function offer<T>(value: T, type: string, { onlyByName = false } = {}): Offer<T> {
  const [read] = readPreferred(type);
  if (!read) throw new TypeError(`${JSON.stringify(type)} is no media type`);
  return { value, type: read, onlyByName };
}

/**
 * Returns how exactly a range of Accept matches a type: 0 = not at all, 1 = any type, 2 = its main type, 3 or more =
 * its name, plus one per matching parameter.
 */
function exactness({ name, params }: Preferred, type: Preferred): number {
  if (name === "*/*" || name === "*") return 1;
  if (name.endsWith("/*")) return type.name.startsWith(name.slice(0, -1)) ? 2 : 0;
  if (name !== type.name) return 0;
  // A range may have parameters that the type lacks. `charset` is ignored, because all text is in UTF-8.
  const stated = [...params].filter(([key]) => key !== "charset" && type.params.has(key));
  return stated.every(([key, value]) => type.params.get(key) === value) ? 3 + stated.length : 0;
}

/**
 * Chooses the offer that an Accept header prefers: each offer has the weight of the range that matches it most exactly.
 * Offers that are named win ties, then the first one. Returns the first offer without the header, and undefined when no
 * offer is accepted.
 */
export function choose<T>(accept: string | null, offers: readonly Offer<T>[]): T | undefined {
  if (accept === null || accept.trim() === "") return offers[0]?.value;
  const ranges = readPreferred(accept);
  let best: { readonly what: T; readonly weight: number; readonly isNamed: boolean } | undefined;
  for (const { value, type, onlyByName } of offers) {
    let [exact, weight] = [0, 0];
    for (const range of ranges) {
      const matched = exactness(range, type);
      if (matched > exact || (matched === exact && matched > 0 && range.weight > weight))
        [exact, weight] = [matched, range.weight];
    }
    const isNamed = exact >= 3;
    if (weight === 0 || (onlyByName && !isNamed)) continue;
    if (!best || weight > best.weight || (weight === best.weight && isNamed && !best.isNamed))
      best = { what: value, weight, isNamed };
  }
  return best?.what;
}

export const isOf =
  ({ content }: Pick<Endpoint, "content">) =>
  ({ of }: Representation): boolean =>
    of === undefined || of === content;

/** Converts representations to offers; types that match only by name come last. */
const toOffers = (representations: readonly Representation[]): Offer<Representation>[] =>
  representations
    .flatMap((representation) =>
      representation.types.map((type, i) =>
        offer(representation, type, { onlyByName: i > 0 || representation.onlyByName === true }),
      ),
    )
    .sort((a, b) => Number(a.onlyByName) - Number(b.onlyByName));

/** Selects a representation: by the parameters, or else by the Accept header. */
export function representationFor(
  endpoint: Pick<Endpoint, "content">,
  values: Readonly<Record<string, unknown>>,
  accept: string | null,
  representations: readonly Representation[],
): Representation {
  const { format } = values;
  const named =
    representations.find(({ parameter }) => parameter !== undefined && values[parameter] === true) ??
    (format === undefined ? undefined : representations.find(({ isFormat, name }) => isFormat && name === format));
  const defaultRepresentation = representations[0] as Representation;
  if (named || accept === null || accept === "*/*") return named ?? defaultRepresentation;
  const has = isOf(endpoint);
  const isRefused = ({ parameter }: Representation) => parameter !== undefined && values[parameter] === false;
  const offers = toOffers(representations).filter(({ value }) => has(value) && !isRefused(value));
  return choose(accept, offers) ?? defaultRepresentation;
}

export const acceptedOf = (accept: string | null, types: readonly string[]): string[] =>
  types.filter((type) => choose(accept, [offer(type, type)]) !== undefined);

const HANDLING = /^\s*handling\s*(?:=\s*"?([^\s;"]*)"?\s*)?(?:;|$)/i;

/**
 * True if a Prefer header requests strict handling, so that unknown parameters are errors (RFC 7240 §4.4); the first
 * `handling` counts (§2).
 */
export function isStrict(prefer: string | null | undefined): boolean {
  const handling = prefer
    ?.match(COMMAS)
    ?.map((preference) => HANDLING.exec(preference))
    .find(Boolean);
  return handling?.[1]?.toLowerCase() === "strict";
}

/** Header values and whether they request strict handling. Tests run them, and RULES.md shows them. */
export const PREFER_EXAMPLES = [
  ["handling=strict", true],
  ['respond-async, handling="strict"', true],
  ["HANDLING=Strict; wait=10", true],
  ["handling=lenient", false],
  ["handling=lenient, handling=strict", false],
  ["strict", false],
] as const;

export const STRICT = "handling=strict";

export const appliedPreference = (strict: boolean): Record<string, string> =>
  strict ? { "Preference-Applied": STRICT } : {};
