/**
 * `fields`: selects parts of a JSON response by dotted names that lead into objects and lists (server/RULES.md, HTTP).
 */
import { z } from "zod";
import { closestNames } from "../../../pipeline/settings/closest-names.ts";
import { type Param, ParamProblem } from "../params.ts";
import { meantParameter } from "../warnings.ts";

/** Returns the type of a list's elements, or of an optional value. */
function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodArray || inner instanceof z.ZodNullable || inner instanceof z.ZodOptional)
    inner = (inner instanceof z.ZodArray ? inner.element : inner.unwrap()) as z.ZodType;
  return inner;
}

/**
 * Lists the names of all fields in a response. Objects keyed by data, such as `courseHistory`, have no names inside,
 * nor have trees, whose parts have another meaning.
 */
function namesIn(schema: z.ZodType, above = ""): string[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  const parts = Object.entries(inner.shape as Record<string, z.ZodType>);
  const isTree = parts.some(([, part]) => unwrap(part) instanceof z.ZodLazy);
  if (isTree) return [];
  return parts.flatMap(([name, part]) => [`${above}${name}`, ...namesIn(part, `${above}${name}.`)]);
}

/** Returns all suffixes of a dotted name: `a.b.c`, `b.c`, `c`. */
const endsOf = (name: string): string[] => {
  const steps = name.split(".");
  return steps.map((_, i) => steps.slice(i).join("."));
};

/** Returns the names that an item refers to: itself, or all that end in it. */
const meaningsOf = (item: string, names: readonly string[]): string[] =>
  names.includes(item) ? [item] : names.filter((name) => name.endsWith(`.${item}`));

/** Returns the shortest unambiguous suffix of a name. */
const shortest = (name: string, names: readonly string[]): string =>
  endsOf(name).findLast((end) => meaningsOf(end, names).join() === name) ?? name;

/** Returns what an unknown item probably meant; with several meanings, their full names. */
function suggest(item: string, names: readonly string[]): string | undefined {
  const ends = [...new Set(names.flatMap(endsOf))];
  const last = item.slice(item.lastIndexOf(".") + 1);
  const inside = ends.filter((end) => item.startsWith(`${end}.`)).at(-1);
  const suggestion = closestNames(item, ends)[0] ?? inside ?? meantParameter(last, ends);
  if (suggestion === undefined) return undefined;
  const meanings = meaningsOf(suggestion, names);
  return meanings.length > 1 ? meanings.join(" or ") : suggestion;
}

export function fieldsParam(schema: z.ZodType): Param<readonly string[]> {
  const names = namesIn(schema);
  const examples = names
    .filter((name) => !names.some((other) => other.startsWith(`${name}.`)))
    .slice(0, 2)
    .map((name) => shortest(name, names));

  function read(item: string): string {
    const [name, ...others] = meaningsOf(item, names);
    if (name === undefined)
      throw new ParamProblem(`fields of the response, such as ${examples.join(",")}`, item, suggest(item, names));
    if (others.length > 0)
      throw new ParamProblem("a name that means one field of the response", item, [name, ...others].join(" or "));
    return name;
  }

  return {
    about:
      "only these fields of the JSON response: names with dots for what is inside objects and lists, or their ends where only one field ends so; a field brings all that is inside it",
    multi: true,
    schema: { type: "string", enum: names.map((name) => shortest(name, names)), examples },
    read(items) {
      const all = [...new Set(items.map(read))];
      return all.length > 0 ? all.filter((name) => !all.some((other) => name.startsWith(`${other}.`))) : undefined;
    },
  };
}
