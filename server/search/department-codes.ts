/** The department codes that any published data has, and which of them an unknown one may mean. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { departmentKey } from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import { publishedRows } from "../snapshot/loading.ts";
import type { Derivation } from "../snapshot/snapshot.ts";
import type { Pool } from "../duckdb/pool.ts";
import { MAX_SUGGESTIONS, nearest } from "../response/suggestion.ts";
import { toAliases, toCodeKey } from "./aliases.ts";

export interface DepartmentCodes {
  /** By its key: a code in upper case, without blanks. */
  has(key: string): boolean;
  /** Codes that an unknown one most likely means: by an alias (`CS`), or else by its spelling. */
  suggest(code: string): string[];
  drop(): Promise<void>;
}

/** The codes of a snapshot: `snapshot.derive(departmentCodes)`. */
export const departmentCodes: Derivation<DepartmentCodes> = {
  name: "department codes",
  tables: ["departments", "headings", "grades", "courses", "enrollment_history"],
  make: readDepartmentCodes,
};

/** Reads one column of each table. */
async function readDepartmentCodes(
  pool: Pool,
  files: Readonly<Partial<Record<TableName, readonly string[]>>>,
): Promise<DepartmentCodes> {
  const { departments = [], headings = [], grades = [], courses = [], enrollment_history: history = [] } = files;
  const [codes = [], names = []] = await pool.columns(
    sql`SELECT code, max(name) FROM (
        SELECT deptCode AS code, deptName AS name FROM ${publishedRows("departments", departments)}
        UNION ALL SELECT deptCode, deptName FROM ${publishedRows("headings", headings)}
        UNION ALL SELECT DISTINCT department, '' FROM ${publishedRows("grades", grades)}
        UNION ALL SELECT DISTINCT department, '' FROM ${publishedRows("courses", courses)}
        UNION ALL SELECT DISTINCT department, '' FROM ${publishedRows("enrollment_history", history)}
      ) GROUP BY code ORDER BY code`,
    { uncached: true },
  );
  return toDepartmentCodes((codes as string[]).map((code, i) => ({ code, name: names[i] as string })));
}

export function toDepartmentCodes(departments: readonly { code: string; name: string }[]): DepartmentCodes {
  const byKey = new Map(departments.map(({ code }) => [departmentKey(code), code]));
  const aliases = toAliases(departments);
  return {
    drop: () => Promise.resolve(),
    has: (key) => byKey.has(key),
    suggest(code) {
      const [likeliest, ...others] = aliases.get(toCodeKey(code)) ?? [];
      if (likeliest)
        return [likeliest, ...others.filter(({ rank }) => rank === likeliest.rank)]
          .slice(0, MAX_SUGGESTIONS)
          .map((meant) => meant.code);
      return nearest(departmentKey(code), byKey.keys()).map((key) => byKey.get(key) ?? key);
    },
  };
}
