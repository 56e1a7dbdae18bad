/**
 * Resolves shortened names, which several people may share, to people: `netid` as a filter, and `instructorIds=true`
 * (server/RULES.md, Instructors and courses).
 */
import { nameKeySql } from "../../pipeline/contract/name-key.ts";
import { constant, type Fragment, sql } from "../duckdb/sql.ts";
import type { Pool } from "../duckdb/pool.ts";
import type { EndpointContext, Statement, Selection } from "../response/endpoint.ts";
import { flag, text } from "../response/params.ts";
import type { Columns } from "../snapshot/loading/loading.ts";
import { keyOfDepartment, people } from "../snapshot/tables/people.ts";
import { filterOver } from "./filters.ts";

const dependsOnPeople = { reads: "section_instructors" } as const;

/** Splits a multi-line text of name keys into a list. */
const linesOf = (names: Fragment): Fragment => sql`list_slice(string_split(${names}, chr(10)), 2, -2)`;

/** Filters by network id. `people` is the relation of that name, loaded or published. */
export const netidFilter = filterOver<"departmentKey" | "names" | "people">()(
  {
    ...text("an instructor's network id, ignoring case: sections with a name that may mean this person", {
      normalize: (netid) => netid.trim().toLowerCase(),
      examples: ["ramberle"],
    }),
    ...dependsOnPeople,
  },
  (netid, c) => {
    const ofPerson = sql`FROM ${c.people} WHERE list_contains(netids, ${netid})`;
    // Test the department first: most rows are of other departments, so few lists are built.
    return sql`${c.departmentKey} IN (SELECT ofDepartment ${ofPerson})
      AND list_has_any(list_transform(${linesOf(c.names)}, lambda line: concat(${c.departmentKey}, chr(10), line)),
        (SELECT list(concat(ofDepartment, chr(10), named)) ${ofPerson}))`;
  },
  (netid) => `taught by ${netid}`,
);

export const instructorIdsFilter = filterOver<never>()(
  {
    ...flag(
      "true adds `instructorIds` beside the names of instructors: for each of them the network ids of those whom it may mean, one when it is clear",
    ),
    ...dependsOnPeople,
  },
  null,
  () => "",
);

interface Values {
  readonly netid?: string | undefined;
  readonly instructorIds?: boolean | undefined;
}

const needsPeople = ({ netid, instructorIds }: Values): boolean => netid !== undefined || instructorIds === true;

/** Returns the loaded relation, or nothing if it is not needed. */
export const loadedPeople = async (
  values: Values,
  { snapshot }: Pick<EndpointContext, "snapshot">,
): Promise<Fragment> => (needsPeople(values) ? (await snapshot.derive(people)).from : sql``);

export const readsOfPeople = (values: Values): Statement["reads"] =>
  needsPeople(values) ? [{ table: "section_instructors" }] : [];

/**
 * Adds `instructorIds` to rows: a list per name, in the order of the names. Equal names in a department are looked up
 * once, all of them in a single join: a subquery per row would be planned as a join of all rows with all people.
 * @param rows a statement
 * @param column over the columns of `rows`
 */
export const withIdsOfNames = (
  rows: Fragment,
  { names, departmentKey, people }: Columns<"names" | "departmentKey" | "people">,
): Fragment =>
  sql`WITH named_rows AS MATERIALIZED (SELECT *, ${names} AS ofNames, ${departmentKey} AS inDepartment FROM (${rows})),
    lists AS (SELECT DISTINCT ofNames, inDepartment FROM named_rows),
    lines AS (SELECT *, unnest(${linesOf(sql`ofNames`)}) AS line, generate_subscripts(${linesOf(sql`ofNames`)}, 1) AS position FROM lists),
    ids AS (SELECT ofNames, inDepartment, list(coalesce(netids, []) ORDER BY position) AS instructorIds
      FROM lines LEFT JOIN ${people} AS p ON named = line AND ofDepartment = inDepartment GROUP BY ALL)
    SELECT * EXCLUDE (ofNames, inDepartment) REPLACE (coalesce(instructorIds, []) AS instructorIds)
    FROM named_rows LEFT JOIN ids USING (ofNames, inDepartment)`;

/** Selects the `instructorIds` of a single name in a department. */
export const idsOfName = (name: string, department: string, people: Fragment): Fragment =>
  sql`coalesce((SELECT netids FROM ${people} AS p
    WHERE named = ${constant(nameKeySql(name))} AND ofDepartment = ${constant(keyOfDepartment(department))}), [])`;

/**
 * Selects matching rows with their `instructorIds`.
 * @param matching `FROM … WHERE …` over a loaded table
 */
export async function selectRowsWithIds(
  pool: Pool,
  records: readonly string[],
  column: Columns<"names" | "departmentKey" | "people">,
  matching: Fragment,
): Promise<Selection & { readonly rowIds: Int32Array }> {
  const rows = withIdsOfNames(sql`SELECT row_id, names, departmentKey ${matching}`, column);
  const [rowIds = [], ids = []] = (await pool.columns(
    sql`SELECT row_id, to_json(instructorIds)::VARCHAR FROM (${rows}) ORDER BY row_id`,
  )) as [number[], string[]];
  const withIds: string[] = [];
  for (const [i, rowId] of rowIds.entries())
    withIds[rowId] = `${records[rowId]?.slice(0, -1)},"instructorIds":${ids[i]}}`;
  return { records: withIds, rowIds: Int32Array.from(rowIds) };
}
