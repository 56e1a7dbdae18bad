/**
 * Documents other media types than JSON in `x-formats`: as regular contents, generated clients would take their text
 * type for that of the response.
 */
import type { Endpoint } from "../response/endpoint.ts";
import { representationsOf } from "../response/representations/all.ts";
import { explanation } from "../response/explain/explain.ts";
import { json } from "../response/representations/json.ts";
import type { Schema } from "./schema.ts";

const bare = (type: string): string => type.split(";")[0] ?? type;

/** Returns the description of each media type by its representation. */
export function toFormats(endpoint: Endpoint): Record<string, { readonly schema: Schema }> {
  // Formats of particular endpoints come first.
  const all = representationsOf(endpoint).toSorted((a, b) => Number(a.of === undefined) - Number(b.of === undefined));
  const others = all.flatMap(({ describe, name, types: [type] }) => {
    if (name === json.name || name === explanation.name) return [];
    const { about, isBinary = false } = describe?.(endpoint) ?? { about: name };
    return [
      [bare(type), { schema: { type: "string", ...(isBinary ? { format: "binary" } : {}), description: about } }],
    ];
  });
  return Object.fromEntries(others);
}

/** Returns the media types that support range requests. */
export const typesWithRanges = (endpoint: Endpoint): string[] =>
  representationsOf(endpoint).flatMap(({ hasRanges, types: [type] }) => (hasRanges ? [bare(type)] : []));

/** The name of the schema of explanations. */
export const EXPLANATION = "Explanation";
