/** Equivalent requests have one normalized query: part of the cache key and of the entity tag. */

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
