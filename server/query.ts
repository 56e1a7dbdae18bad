/** Reads a request's query by an endpoint's parameters: values, every problem, and what to warn of. */
import { distance } from "fastest-levenshtein";
import { ParamProblem, type Params, shown, type ValuesOf } from "./params.ts";

export interface ReadQuery<P extends Params> {
  values: ValuesOf<P>;
  /** One sentence for each wrong parameter. */
  problems: string[];
  /** Parameters that were given but could not be read: rules across parameters must not take them for absent. */
  refused: ReadonlySet<string>;
  /** Names that the endpoint does not know, with the closest name that it does. */
  unknown: { name: string; closest: string | undefined }[];
}

/** Applies the grammar of behaviour §1 to a query string. */
export function readQuery<P extends Params>(search: URLSearchParams, params: P): ReadQuery<P> {
  const sent = new Map<string, string[]>();
  for (const [name, value] of search) {
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  const refused = new Set<string>();
  for (const [name, param] of Object.entries(params)) {
    const raw = sent.get(name) ?? [];
    const items = param.multi ? readItems(raw) : [...new Set(raw.filter((value) => value !== ""))];
    if (items.length === 0) {
      if (param.required) problems.push(`Parameter "${name}" not provided`);
    } else if (items.some((item) => item.includes("\u0000"))) {
      problems.push(`Parameter "${name}" must not hold the character U+0000`);
      refused.add(name);
    } else if (!param.multi && items.length > 1) {
      problems.push(
        `Parameter "${name}" takes one value but was given ${items.length} different ones: ${items.slice(0, 3).map(shown).join(", ")}`,
      );
      refused.add(name);
    } else {
      try {
        const value = param.read(items);
        if (value !== undefined) values[name] = value;
        else if (param.required) problems.push(`Parameter "${name}" not provided`);
      } catch (error) {
        if (!(error instanceof ParamProblem)) throw error;
        problems.push(`Invalid ${name} provided: ${shown(error.item ?? items.join(","))} (allowed: ${error.message})`);
        refused.add(name);
      }
    }
  }
  const unknown = [...sent.keys()]
    .filter((name) => !Object.hasOwn(params, name))
    .map((name) => ({ name, closest: closestTo(name, Object.keys(params)) }));
  return { values: values as ValuesOf<P>, problems, refused, unknown };
}

/** Comma list, repetition or both; trimmed, empties dropped, duplicates removed. */
const readItems = (raw: readonly string[]): string[] =>
  [...new Set(raw.flatMap((value) => value.split(",")).map((item) => item.trim()))].filter((item) => item !== "");

function closestTo(name: string, known: readonly string[]): string | undefined {
  const near = name.slice(0, 60).toLowerCase();
  return known
    .map((candidate) => ({ candidate, away: distance(near, candidate.toLowerCase()) }))
    .sort((a, b) => a.away - b.away)[0]?.candidate;
}

/** `Warning: 299` values for names that the endpoint ignores; the client's text is percent-encoded, so that it stays one header. */
export function toWarnings(unknown: ReadQuery<Params>["unknown"]): string | undefined {
  if (unknown.length === 0) return undefined;
  const quoted = (name: string) => encodeURIComponent(name).slice(0, 60);
  const one = ({ name, closest }: (typeof unknown)[number]) =>
    `299 - "unknown parameter ${quoted(name)} ignored${closest === undefined ? "" : `; the closest known one is ${closest}`}"`;
  const more = unknown.length > 5 ? [`299 - "${unknown.length - 5} more unknown parameters ignored"`] : [];
  return [...unknown.slice(0, 5).map(one), ...more].join(", ");
}
