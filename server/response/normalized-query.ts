/** One text for all spellings of one question: the key of the cache and a part of the entity tag. */

/** Lists are sets here: their order does not count. */
const settled = (value: unknown): unknown => {
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
    .map((key) => [key, settled(values[key])]);
  return JSON.stringify([path, id.toLowerCase(), entries, dependsOn]);
}
