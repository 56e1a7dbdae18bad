/** The department codes of the published data, and suggestions for unknown ones. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { departmentKey } from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import { publishedRows } from "../snapshot/loading/loading.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Pool } from "../duckdb/pool.ts";
import { toRows } from "../duckdb/query-runner.ts";
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import { type NamedDepartment, toAliases, toCodeKey } from "./aliases.ts";

interface DepartmentCodes {
  /** `key`: the code in upper case, without spaces. */
  has(key: string): boolean;
  /** Suggestions for an unknown code: by alias (`CS`), else by spelling. */
  suggest(code: string): string[];
  drop(): Promise<void>;
}

export const departmentCodes: Derivation<DepartmentCodes> = {
  name: "department codes",
  tables: ["departments", "headings", "grades", "courses", "enrollment_history"],
  make: readDepartmentCodes,
};

async function readDepartmentCodes(
  pool: Pool,
  files: Readonly<Partial<Record<TableName, readonly string[]>>>,
): Promise<DepartmentCodes> {
  const { departments = [], headings = [], grades = [], courses = [], enrollment_history: history = [] } = files;
  const columns = await pool.columns(
    sql`SELECT code, max(name) FROM (
        SELECT deptCode AS code, deptName AS name FROM ${publishedRows("departments", departments)}
        UNION ALL SELECT deptCode, deptName FROM ${publishedRows("headings", headings)}
        UNION ALL SELECT DISTINCT department, '' FROM ${publishedRows("grades", grades)}
        UNION ALL SELECT DISTINCT department, '' FROM ${publishedRows("courses", courses)}
        UNION ALL SELECT DISTINCT department, '' FROM ${publishedRows("enrollment_history", history)}
      ) GROUP BY code ORDER BY code`,
    { uncached: true },
  );
  return toDepartmentCodes(toRows(["code", "name"], columns));
}

function toDepartmentCodes(departments: readonly NamedDepartment[]): DepartmentCodes {
  const byKey = new Map(departments.map(({ code }) => [departmentKey(code), code]));
  const aliases = toAliases(departments);
  return {
    drop: () => Promise.resolve(),
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
