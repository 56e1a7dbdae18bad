/** The shortened names of people who taught, and suggestions for unknown ones. */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import type { Pool } from "../duckdb/pool.ts";
import { toRows } from "../duckdb/query.ts";
import { type Fragment, sql } from "../duckdb/sql.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";

interface InstructorNames {
  has(name: string): boolean;
  /**
   * Suggests names for an unknown one: that of the person with this full name or netid, else names that begin with it,
   * else by spelling.
   */
  suggest(name: string): string[];
  drop(): Promise<void>;
}

/** Bounds the work; no name is longer. */
const MAX_LENGTH = 60;
const MIN_BEGINNING = 3;

export const instructorNames: Derivation<InstructorNames> = {
  name: "instructor names",
  tables: ["grades", "enrollment_history", "instructors"],
  make: readInstructorNames,
};

async function readInstructorNames(pool: Pool, rows: (table: TableName) => Fragment): Promise<InstructorNames> {
  const taught = await pool.columns(
    sql`SELECT DISTINCT unnest(instructors) AS name FROM (
        SELECT instructors FROM ${rows("grades")} UNION ALL SELECT instructors FROM ${rows("enrollment_history")}
      ) ORDER BY name`,
    { uncached: true },
  );
  const people = await pool.columns(sql`SELECT netid, name, shortenedName FROM ${rows("instructors")} ORDER BY netid`, {
    uncached: true,
  });
  return toInstructorNames(
    toRows<{ name: string }>(["name"], taught).map(({ name }) => name),
    toRows(["netid", "name", "shortenedName"], people),
  );
}

function toInstructorNames(
  names: readonly string[],
  people: readonly { readonly netid: string; readonly name: string; readonly shortenedName: string }[],
): InstructorNames {
  const byKey = new Map(names.map((name) => [nameKey(name), name]));
  const nameOf = (key: string) => byKey.get(key) ?? key;
  const persons = new Map<string, string[]>();
  for (const { netid, name, shortenedName } of people)
    for (const key of new Set([nameKey(netid), nameKey(name)]))
      if (byKey.has(nameKey(shortenedName)))
        persons.set(key, [...(persons.get(key) ?? []), nameOf(nameKey(shortenedName))]);
  return {
    drop: () => Promise.resolve(),
    has: (name) => byKey.has(nameKey(name)),
    suggest(name) {
      const key = nameKey(name).trim();
      if (key.length > MAX_LENGTH) return [];
      const person = persons.get(key);
      if (person) return [...new Set(person)].slice(0, MAX_SUGGESTIONS);
      const sameBeginning =
        key.length < MIN_BEGINNING ? [] : [...byKey.keys()].filter((candidate) => candidate.startsWith(key));
      if (sameBeginning.length > 0) return sameBeginning.slice(0, MAX_SUGGESTIONS).map(nameOf);
      return closestNames(key, byKey.keys()).map(nameOf);
    },
  };
}
