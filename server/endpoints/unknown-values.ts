/**
 * `Warning: 299` for department codes, instructor names and network ids that no published row has, and for a course
 * name given as its number.
 */
import { splitCourseName } from "../../pipeline/contract/course-name.ts";
import { departmentKey } from "../../pipeline/contract/vocabulary.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { didYouMean, inHeader, toWarning } from "../response/warnings.ts";
import { departmentCodes, instructorNames, type KnownValues, netids } from "../search/known-values.ts";
import { filesOf } from "../snapshot/generation.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

const KNOWN_VALUES = {
  department: departmentCodes,
  instructor: instructorNames,
  netid: netids,
} as const satisfies Record<string, Derivation<KnownValues>>;

/** Warns about parameters whose table the snapshot lacks. */
export const unreadWarnings = ({ params }: Endpoint, values: object, { published }: Snapshot): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const table = params[name]?.reads;
    if (table === undefined || value === false || filesOf(published, table).paths.length > 0) return [];
    return [toWarning(`${name} finds no people: this snapshot has no ${table} yet`)];
  });

/** The most warnings per parameter, to keep headers short. */
const MAX_NAMED = 5;

/** Warns about course numbers that are in fact the name of a course in a known department. */
async function courseNames(values: { readonly courseNumber?: unknown }, snapshot: Snapshot): Promise<string[]> {
  const courseNumbers = [values.courseNumber ?? []].flat().map(String);
  const names = courseNumbers.flatMap((text) => {
    const parsed = splitCourseName(text);
    return parsed ? [{ text, ...parsed }] : [];
  });
  if (names.length === 0) return [];
  const departments = await snapshot.derive<KnownValues>(departmentCodes).catch(() => undefined);
  return names
    .filter(({ department }) => departments?.has(departmentKey(department)))
    .map(({ text, courseNumber, department }) => {
      const [name, number, code] = [text, courseNumber, department].map(inHeader);
      return `courseNumber ${name} is the name of a course: use courseNumber ${number} and department ${code}`;
    });
}

/**
 * Warns about unknown values. They are not errors: the upstream or the next snapshot may have them.
 * @param hasRows true if anything matches, which proves that a single value is known
 */
export async function unknownValueWarnings(values: object, snapshot: Snapshot, hasRows: boolean): Promise<string[]> {
  const warnings = (await courseNames(values, snapshot)).slice(0, MAX_NAMED).map(toWarning);
  for (const [name, derivation] of Object.entries(KNOWN_VALUES)) {
    const requested = [(values as Readonly<Record<string, string | readonly string[]>>)[name] ?? []].flat();
    if (requested.length === 0 || (requested.length === 1 && hasRows)) continue;
    // A failed lookup must not fail the request.
    const knownValues = await snapshot.derive<KnownValues>(derivation).catch(() => undefined);
    const unknown = knownValues ? requested.filter((value) => !knownValues.has(value)) : [];
    for (const value of unknown.slice(0, MAX_NAMED))
      warnings.push(toWarning(`unknown ${name} ${inHeader(value)}${didYouMean(knownValues?.suggest(value) ?? [])}`));
    if (unknown.length > MAX_NAMED)
      warnings.push(toWarning(`${unknown.length - MAX_NAMED} more of ${name} are unknown`));
  }
  return warnings;
}
