/** Reads the headers by which a client says what it prefers: Accept (RFC 9110 §12.5.1) for every response, and Accept-Encoding. */
import { REQUEST_LIMITS } from "./request-limits.ts";

export interface Preferred {
  /** In lower case, without parameters: `text/csv`, `gzip`, `*`. */
  readonly name: string;
  /** Parameters other than the weight. */
  readonly params: ReadonlyMap<string, string>;
  /** From 0, which refuses, to 1. One that is no number counts as 0. */
  readonly weight: number;
}

/** Splits at a separator outside of quoted strings. Unambiguous on malformed input, so that matching takes linear time. */
const COMMAS = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/g;
const SEMICOLONS = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^";])+/g;

const unquoted = (text: string): string =>
  text.startsWith('"') ? text.slice(1).replace(/"$/, "").replace(/\\(.)/g, "$1") : text;

function readParameter(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  return at < 0 ? [text.trim(), ""] : [text.slice(0, at).trim(), unquoted(text.slice(at + 1).trim())];
}

function readWeight(text: string | undefined): number {
  if (text === undefined) return 1;
  const weight = text === "" ? 0 : Number(text);
  return weight > 0 ? Math.min(weight, 1) : 0;
}

/** The items of such a header, in their order. */
export const readPreferred = (header: string): Preferred[] =>
  (header.toLowerCase().match(COMMAS) ?? []).slice(0, REQUEST_LIMITS.accepted.most).flatMap((item) => {
    const [name = "", ...rest] = (item.match(SEMICOLONS) ?? []).map((part) => part.trim());
    const given = rest.map(readParameter);
    // What follows the weight is an extension of the header, no parameter of the type.
    const at = given.findIndex(([key]) => key === "q");
    const params = new Map(at < 0 ? given : given.slice(0, at));
    return name === "" ? [] : [{ name, params, weight: readWeight(given[at]?.[1]) }];
  });

/** Something that can be sent, under a media type. */
export interface Offer<T> {
  readonly what: T;
  readonly type: Preferred;
  /** Never chosen by a wildcard. */
  readonly onlyByName: boolean;
}

/** @param type with the parameters that it has: `text/csv; header=present` */
export function offer<T>(what: T, type: string, { onlyByName = false } = {}): Offer<T> {
  const [read] = readPreferred(type);
  if (!read) throw new TypeError(`${JSON.stringify(type)} is no media type`);
  return { what, type: read, onlyByName };
}

/** How exactly a range of Accept means a type: 0 not at all, 1 by a wildcard for all, 2 for all of its kind, from 3 on by its name. */
function exactness({ name, params }: Preferred, type: Preferred): number {
  if (name === "*/*" || name === "*") return 1;
  if (name.endsWith("/*")) return type.name.startsWith(name.slice(0, -1)) ? 2 : 0;
  if (name !== type.name) return 0;
  // Parameters that the type does not have are no reason against it, and all text is in UTF-8, however that is spelled.
  const stated = [...params].filter(([key]) => key !== "charset" && type.params.has(key));
  return stated.every(([key, value]) => type.params.get(key) === value) ? 3 + stated.length : 0;
}

/**
 * What an Accept header prefers of the offers: each has the weight of the range that means it most exactly. Of equal weight one that is named, then the
 * first. Without the header it is the first; undefined when none of them is accepted.
 */
export function choose<T>(accept: string | null, offers: readonly Offer<T>[]): T | undefined {
  if (accept === null || accept.trim() === "") return offers[0]?.what;
  const ranges = readPreferred(accept);
  let best: { readonly what: T; readonly weight: number; readonly isNamed: boolean } | undefined;
  for (const { what, type, onlyByName } of offers) {
    let [exact, weight] = [0, 0];
    for (const range of ranges) {
      const found = exactness(range, type);
      if (found > exact || (found === exact && found > 0 && range.weight > weight))
        [exact, weight] = [found, range.weight];
    }
    const isNamed = exact >= 3;
    if (weight === 0 || (onlyByName && !isNamed)) continue;
    if (!best || weight > best.weight || (weight === best.weight && isNamed && !best.isNamed))
      best = { what, weight, isNamed };
  }
  return best?.what;
}

/** Those of the media types that a client accepts. */
export const acceptedOf = (accept: string | null, types: readonly string[]): string[] =>
  types.filter((type) => choose(accept, [offer(type, type)]) !== undefined);
