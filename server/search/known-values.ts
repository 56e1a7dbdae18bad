/** The values of parameters that published rows have, and suggestions for unknown ones. */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import { departmentKey } from "../../pipeline/contract/vocabulary.ts";
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import { toRows } from "../duckdb/query.ts";
import { sql } from "../duckdb/sql.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import { type NamedDepartment, toAliases, toCodeKey } from "./aliases.ts";

export interface KnownValues {
  /** Tests for a normalized value. */
  has(value: string): boolean;
  suggest(value: string): string[];
}

/** The department codes of the published data, in upper case without spaces; suggested by alias (`CS`), else by spelling. */
export const departmentCodes: Derivation<KnownValues> = {
  name: "department codes",
  tables: ["departments", "headings", "grades", "courses", "enrollment_history"],
  async make(pool, rows) {
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
    const departments = toRows<NamedDepartment>(["code", "name"], columns);
    const byKey = new Map(departments.map(({ code }) => [departmentKey(code), code]));
    const aliases = toAliases(departments);
    return {
      has: (key) => byKey.has(key),
      suggest(code) {
        const matches = aliases.get(toCodeKey(code)) ?? [];
        if (matches.length === 0)
          return closestNames(departmentKey(code), byKey.keys()).map((key) => byKey.get(key) ?? key);
        const best = matches.filter(({ rank }) => rank === matches[0]?.rank);
        return best.slice(0, MAX_SUGGESTIONS).map((match) => match.code);
      },
    };
  },
};

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
  async make(pool, rows) {
    const [names = []] = await pool.columns(
      sql`SELECT DISTINCT unnest(instructors) AS name FROM (
        SELECT instructors FROM ${rows("grades")} UNION ALL SELECT instructors FROM ${rows("enrollment_history")}
      ) ORDER BY name`,
      { uncached: true },
    );
    const byKey = new Map((names as string[]).map((name) => [nameKey(name), name]));
    const people = await pool.columns(
      sql`SELECT netid, name, shortenedName FROM ${rows("instructors")} ORDER BY netid`,
      { uncached: true },
    );
    /** The shortened names by netid and full name. */
    const persons = new Map<string, string[]>();
    const fields = ["netid", "name", "shortenedName"] as const;
    for (const { netid, name, shortenedName } of toRows<Record<(typeof fields)[number], string>>(fields, people)) {
      const taughtAs = byKey.get(nameKey(shortenedName));
      if (taughtAs === undefined) continue;
      for (const key of new Set([nameKey(netid), nameKey(name)]))
        persons.set(key, [...(persons.get(key) ?? []), taughtAs]);
    }
    return {
      has: (name) => byKey.has(nameKey(name)),
      suggest(name) {
        const key = nameKey(name).trim();
        if (key.length > MAX_LENGTH) return [];
        const person = persons.get(key);
        if (person) return [...new Set(person)].slice(0, MAX_SUGGESTIONS);
        const sameBeginning =
          key.length < MIN_BEGINNING ? [] : [...byKey.keys()].filter((candidate) => candidate.startsWith(key));
        const meant =
          sameBeginning.length > 0 ? sameBeginning.slice(0, MAX_SUGGESTIONS) : closestNames(key, byKey.keys());
        return meant.map((candidate) => byKey.get(candidate) ?? candidate);
      },
    };
  },
};
