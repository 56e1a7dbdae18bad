/** The values of parameters that published rows have, and suggestions for unknown ones. */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { departmentKey } from "../../pipeline/contract/vocabulary.ts";
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import type { Pool } from "../duckdb/pool.ts";
import { toRows } from "../duckdb/query.ts";
import { type Fragment, sql } from "../duckdb/sql.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import { type NamedDepartment, toAliases, toCodeKey } from "./aliases.ts";

export interface KnownValues {
  /** Tests for a normalized value. */
  has(value: string): boolean;
  /** Suggests values for an unknown one. */
  suggest(value: string): string[];
}

/** The department codes of the published data, in upper case without spaces; suggested by alias (`CS`), else by spelling. */
export const departmentCodes: Derivation<KnownValues> = {
  name: "department codes",
  tables: ["departments", "headings", "grades", "courses", "enrollment_history"],
  make: readDepartmentCodes,
};

async function readDepartmentCodes(pool: Pool, rows: (table: TableName) => Fragment): Promise<KnownValues> {
  const columns = await pool.columns(
    sql`SELECT code, max(name) FROM (
        SELECT deptCode AS code, deptName AS name FROM ${rows("departments")}
        UNION ALL SELECT deptCode, deptName FROM ${rows("headings")}
        UNION ALL SELECT DISTINCT department, '' FROM ${rows("grades")}
        UNION ALL SELECT DISTINCT department, '' FROM ${rows("courses")}
        UNION ALL SELECT DISTINCT department, '' FROM ${rows("enrollment_history")}
      ) GROUP BY code ORDER BY code`,
    { uncached: true },
  );
  return toDepartmentCodes(toRows(["code", "name"], columns));
}

function toDepartmentCodes(departments: readonly NamedDepartment[]): KnownValues {
  const byKey = new Map(departments.map(({ code }) => [departmentKey(code), code]));
  const aliases = toAliases(departments);
  return {
    has: (key) => byKey.has(key),
    suggest(code) {
      const [best, ...others] = aliases.get(toCodeKey(code)) ?? [];
      if (best)
        return [best, ...others.filter(({ rank }) => rank === best.rank)]
          .slice(0, MAX_SUGGESTIONS)
          .map((match) => match.code);
      return closestNames(departmentKey(code), byKey.keys()).map((key) => byKey.get(key) ?? key);
    },
  };
}

/** The network ids of the published instructors, in lower case. */
export const netids: Derivation<KnownValues> = {
  name: "netids",
  tables: ["instructors"],
  async make(pool, rows) {
    const [list = []] = await pool.columns(sql`SELECT lower(netid) FROM ${rows("instructors")} ORDER BY ALL`, {
      uncached: true,
    });
    const knownIds = new Set(list as string[]);
    return {
      has: (netid) => knownIds.has(netid),
      suggest: (netid) => closestNames(netid, knownIds),
    };
  },
};

/** Bounds the work; no name is longer. */
const MAX_LENGTH = 60;
const MIN_BEGINNING = 3;

/**
 * The shortened names of people who taught. Suggests the name of the person with this full name or netid, else names
 * that begin with the unknown one, else by spelling.
 */
export const instructorNames: Derivation<KnownValues> = {
  name: "instructor names",
  tables: ["grades", "enrollment_history", "instructors"],
  make: readInstructorNames,
};

async function readInstructorNames(pool: Pool, rows: (table: TableName) => Fragment): Promise<KnownValues> {
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
): KnownValues {
  const byKey = new Map(names.map((name) => [nameKey(name), name]));
  const nameOf = (key: string) => byKey.get(key) ?? key;
  const persons = new Map<string, string[]>();
  for (const { netid, name, shortenedName } of people)
    for (const key of new Set([nameKey(netid), nameKey(name)]))
      if (byKey.has(nameKey(shortenedName)))
        persons.set(key, [...(persons.get(key) ?? []), nameOf(nameKey(shortenedName))]);
  return {
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
