/**
 * Restricts changes to sections of an instructor. Names are compared once per distinct list of instructors in a file:
 * comparing them row by row takes many times as long.
 */
import pLimit from "p-limit";
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { sql } from "../../duckdb/sql.ts";
import type { EndpointContext } from "../../response/endpoint.ts";
import type { PartKind } from "../../snapshot/loading/parts.ts";
import { matchesInstructor } from "./change-filters.ts";
import type { ChangeFile, Month } from "./change-range.ts";

/** The distinct lists of instructors in a file, and the number of changes of each. */
interface InstructorLists {
  /** The lists as JSON, one per line. */
  readonly lists: string;
  readonly changes: Int32Array;
}

/** How many files are loaded at once. */
const MAX_LOADING = 2;

const instructorLists: PartKind<InstructorLists> = {
  name: "instructors of changes",
  async make(pool, rows) {
    const [lists = [], changes = []] = await pool.columns(
      sql`SELECT to_json(instructors)::VARCHAR, changes
        FROM (SELECT instructors, count(*)::INTEGER AS changes FROM ${rows} GROUP BY ALL)`,
      OVER_FILES,
    );
    return { lists: lists.join("\n"), changes: Int32Array.from(changes as number[]) };
  },
  bytesOf: ({ lists, changes }) => 2 * lists.length + changes.byteLength,
};

/** Restricts months to a person's sections; files without any are dropped. */
export async function onlyTaught(
  { pool, snapshot: { parts } }: Pick<EndpointContext, "pool" | "snapshot">,
  months: readonly Month[],
  instructorName: string,
): Promise<Month[]> {
  const matches = matchesInstructor(instructorName);
  /** The results by list; the same list is in many files. */
  const matchByList = new Map<string, boolean>();
  const isTaught = (list: string): boolean => {
    let isMatch = matchByList.get(list);
    if (isMatch === undefined) {
      const instructorKeys = (JSON.parse(list) as string[]).map(nameKey);
      matchByList.set(list, (isMatch = matches({ instructorKeys })));
    }
    return isMatch;
  };
  const limit = pLimit(MAX_LOADING);
  /** Returns the file with the number of the person's changes; undefined if it has none. */
  async function restrict(file: ChangeFile): Promise<ChangeFile | undefined> {
    const { lists, changes } = await limit(() => parts.load(instructorLists, file, pool));
    const fileLists = changes.length === 0 ? [] : lists.split("\n");
    const rows = fileLists.reduce((sum, list, i) => sum + (isTaught(list) ? (changes[i] as number) : 0), 0);
    return rows === 0 ? undefined : { ...file, rows: file.rows === undefined ? undefined : rows };
  }
  const files = await Promise.all(months.map((month) => Promise.all(month.files.map(restrict))));
  // Sort the lists, so that equal conditions have equal texts, whatever the order of files.
  const taught = [...matchByList.keys()].filter(isTaught).sort();
  const condition = sql`instructors IN (SELECT unnest(${`[${taught.join(",")}]`}::JSON::VARCHAR[][]))`;
  return months.map(({ conditions }, i) => ({
    files: (files[i] ?? []).filter((file) => file !== undefined),
    conditions: [condition, ...conditions],
  }));
}
