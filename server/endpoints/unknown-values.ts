/** `Warning: 299` for a department code, an instructor's name or a network id that nothing published has, and for the name of a course as its number. */
import { splitCourseName } from "../../pipeline/contract/course-name.ts";
import { departmentKey } from "../../pipeline/contract/vocabulary.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { didYouMean, inHeader, toWarning } from "../response/warnings.ts";
import { departmentCodes } from "../search/department-codes.ts";
import { instructorNames } from "../search/instructor-names.ts";
import { netids } from "../search/netids.ts";
import { filesOf } from "../snapshot/generation.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Droppable } from "../snapshot/loading/table-cache.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

interface KnownValues extends Droppable {
  has(value: string): boolean;
  suggest(value: string): string[];
}

/** By the name of the parameter. */
const KNOWN = {
  department: departmentCodes,
  instructor: instructorNames,
  netid: netids,
} as const satisfies Record<string, Derivation<KnownValues>>;

/** For parameters whose table a snapshot does not have: one of an earlier version of the contract, carried over. */
export const unreadWarnings = ({ params }: Endpoint, values: object, { generation }: Snapshot): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const table = params[name]?.reads;
    if (table === undefined || value === false || filesOf(generation, table).paths.length > 0) return [];
    return [toWarning(`${name} finds no people: this snapshot has no ${table} yet`)];
  });

/** Of one parameter: headers are short. */
const MAX_NAMED = 5;

/** What to say of course numbers that are the name of a course of a department that is known. */
async function courseNames(values: { readonly courseNumber?: unknown }, snapshot: Snapshot): Promise<string[]> {
  const given = [values.courseNumber ?? []].flat().map(String);
  const names = given.flatMap((text) => {
    const found = splitCourseName(text);
    return found ? [{ text, ...found }] : [];
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
 * An unknown value is not an error: the upstream or the next snapshot may have it.
 * @param hasRows whether anything matches: then a single value is known
 */
export async function unknownValueWarnings(values: object, snapshot: Snapshot, hasRows: boolean): Promise<string[]> {
  const warnings = (await courseNames(values, snapshot)).slice(0, MAX_NAMED).map(toWarning);
  for (const [name, derivation] of Object.entries(KNOWN)) {
    const given = [(values as Readonly<Record<string, string | readonly string[]>>)[name] ?? []].flat();
    if (given.length === 0 || (given.length === 1 && hasRows)) continue;
    // A failed lookup must not fail the request.
    const known = await snapshot.derive<KnownValues>(derivation).catch(() => undefined);
    const unknown = known ? given.filter((value) => !known.has(value)) : [];
    for (const value of unknown.slice(0, MAX_NAMED))
      warnings.push(toWarning(`unknown ${name} ${inHeader(value)}${didYouMean(known?.suggest(value) ?? [])}`));
    if (unknown.length > MAX_NAMED)
      warnings.push(toWarning(`${unknown.length - MAX_NAMED} more of ${name} are unknown`));
  }
  return warnings;
}
