/** What `fields` leaves of a value, as plainly as server/RULES.md, HTTP says it. */

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A name leads through objects and lists; it brings all that is below it. */
export function plainFields(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => plainFields(element, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      if (names.includes(key)) return [[key, part]];
      const below = names.flatMap((name) => (name.startsWith(`${key}.`) ? [name.slice(key.length + 1)] : []));
      return below.length > 0 ? [[key, plainFields(part, below)]] : [];
    }),
  );
}

/** Keyed by data. */
const MAPS = ["prerequisiteTree", "courseHistory", "links"];

/** The names of everything in a value. */
export function namesOf(value: unknown, above = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((element) => namesOf(element, above)))];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    `${above}${key}`,
    ...(MAPS.includes(key) ? [] : namesOf(part, `${above}${key}.`)),
  ]);
}
