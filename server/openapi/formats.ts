/** How other media types are written, as `x-formats`: generated clients would take a text for the type, and they read JSON. */
import type { Endpoint } from "../response/endpoint.ts";
import { hasFormats, representationsOf } from "../response/representations/all.ts";
import { explanation } from "../response/representations/explanation.ts";
import { json } from "../response/representations/json.ts";
import type { Schema } from "./schema.ts";

const bare = (type: string): string => type.split(";")[0] ?? type;

/** By media type, as each representation describes itself; undefined for an endpoint with JSON only. */
export function toFormats(endpoint: Endpoint): Record<string, { readonly schema: Schema }> | undefined {
  if (!hasFormats(endpoint)) return undefined;
  // What only such an endpoint has comes first.
  const all = representationsOf(endpoint).toSorted((a, b) => Number(a.of === undefined) - Number(b.of === undefined));
  const others = all.flatMap(({ describe, name, types: [type] }) => {
    if (type === undefined || name === json.name || name === explanation.name) return [];
    const { about, isBinary = false } = describe?.(endpoint) ?? { about: name };
    return [
      [bare(type), { schema: { type: "string", ...(isBinary ? { format: "binary" } : {}), description: about } }],
    ];
  });
  return Object.fromEntries(others);
}

/** The media types of which parts can be asked for. */
export const typesWithRanges = (endpoint: Endpoint): string[] =>
  (hasFormats(endpoint) ? representationsOf(endpoint) : []).flatMap(({ hasRanges, types: [type] }) =>
    hasRanges && type ? [bare(type)] : [],
  );

/** The name of the schema of an explanation. */
export const EXPLANATION = "Explanation";
