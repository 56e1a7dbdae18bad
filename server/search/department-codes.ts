/** The department codes of the published data, and suggestions for unknown ones. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { departmentKey } from "../../pipeline/contract/vocabulary.ts";
import { type Fragment, sql } from "../duckdb/sql.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Pool } from "../duckdb/pool.ts";
import { toRows } from "../duckdb/query.ts";
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import { type NamedDepartment, toAliases, toCodeKey } from "./aliases.ts";

interface DepartmentCodes {
  /** Tests for a code in upper case without spaces. */
  has(key: string): boolean;
  /** Suggests codes for an unknown one: by alias (`CS`), else by spelling. */
  suggest(code: string): string[];
  drop(): Promise<void>;
}

export const departmentCodes: Derivation<DepartmentCodes> = {
  name: "department codes",
  tables: ["departments", "headings", "grades", "courses", "enrollment_history"],
  make: readDepartmentCodes,
};

async function readDepartmentCodes(pool: Pool, rows: (table: TableName) => Fragment): Promise<DepartmentCodes> {
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
