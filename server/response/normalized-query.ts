/** Equivalent requests have one normalized query: part of the cache key and of the entity tag. */
import type { Params } from "./params.ts";
import { itemsOf } from "./query.ts";

const normalizeValue = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value;
  return value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).sort();
};

export function normalizedQuery(
  path: string,
  id: string,
  values: Readonly<Record<string, unknown>>,
  dependsOn: string,
): string {
  const entries = Object.keys(values)
    .sort()
    .map((key) => [key, normalizeValue(values[key])]);
  return JSON.stringify([path, id.toLowerCase(), entries, dependsOn]);
}

/** The request's URL with the parameters that count, in alphabetical order. */
export function normalizedUrl(
  { pathname, searchParams }: Pick<URL, "pathname" | "searchParams">,
  params: Params,
  values: Readonly<Record<string, unknown>>,
): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(values).sort()) {
    const param = params[name];
    if (param && name !== "explain") query.append(name, itemsOf(param, searchParams.getAll(name)).sort().join(","));
  }
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}
