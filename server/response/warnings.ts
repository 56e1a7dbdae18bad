/** `Warning: 299` (RFC 7234 §5.5) for ignored parameters, with suggestions. */
import { type Params, shown } from "./params.ts";
import { didYouMean, meantParameter } from "./suggestion.ts";

/** Limits that keep headers short. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** Client input in a header: percent-encoded and truncated between two characters. */
export const inHeader = (text: string): string =>
  encodeURIComponent(text)
    .slice(0, MAX_NAME_LENGTH)
    .replace(/%[\dA-F]?$/, "");

const quotable = (text: string): string => text.replace(/[^ !#-[\]-~]+/g, (other) => encodeURIComponent(other));

export const toWarning = (text: string): string => `299 - "${quotable(text)}"`;

const meant = (name: string, params: Params): string => {
  const known = meantParameter(name, Object.keys(params));
  return didYouMean(known === undefined ? [] : [known]);
};

const unnamed = (unknown: readonly string[]): number => Math.max(0, unknown.length - MAX_NAMED);

export function unknownWarnings(unknown: readonly string[], params: Params): string[] {
  const warnings = unknown
    .slice(0, MAX_NAMED)
    .map((name) => `unknown parameter ${inHeader(name)} ignored${meant(name, params)}`);
  const more = unnamed(unknown);
  return [...warnings, ...(more > 0 ? [`${more} more unknown parameters ignored`] : [])].map(toWarning);
}

/** The same for the message of a 400; unknown parameters are errors with `strict`. */
export function unknownProblems(unknown: readonly string[], params: Params, strict: boolean): string[] {
  const problems = unknown
    .slice(0, MAX_NAMED)
    .map((name) => `${strict ? "Unknown" : "Ignored unknown"} parameter ${shown(name)}${meant(name, params)}`);
  const more = unnamed(unknown);
  return [...problems, ...(more > 0 ? [`${more} more unknown parameters${strict ? "" : " ignored"}`] : [])];
}
