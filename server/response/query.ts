/** Parses a query string by an endpoint's parameters. */
import { didYouMean } from "./suggestion.ts";
import { type Param, ParamProblem, type Params, shown, type ValuesOf } from "./params.ts";

export interface ReadQuery<P extends Params> {
  values: ValuesOf<P>;
  problems: string[];
  /** Given but invalid parameters: cross-parameter rules must not treat them as absent. */
  refused: ReadonlySet<string>;
  unknown: readonly string[];
}

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
    const items = itemsOf(param, raw);
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
        const { message, item = items.join(","), meant } = error;
        problems.push(
          `Invalid ${name} provided: ${shown(item)} (allowed: ${message})${didYouMean(meant === undefined ? [] : [meant])}`,
        );
        refused.add(name);
      }
    }
  }
  const unknown = [...sent.keys()].filter((name) => !Object.hasOwn(params, name));
  return { values: values as ValuesOf<P>, problems, refused, unknown };
}

/** The items of a parameter, however often and in whichever form it was given. */
export const itemsOf = ({ multi }: Pick<Param<unknown>, "multi">, raw: readonly string[]): string[] =>
  multi ? readItems(raw) : [...new Set(raw.filter((value) => value !== ""))];

/** Comma list, repetition or both; trimmed, empties dropped, duplicates removed. */
const readItems = (raw: readonly string[]): string[] =>
  [...new Set(raw.flatMap((value) => value.split(",")).map((item) => item.trim()))].filter((item) => item !== "");
