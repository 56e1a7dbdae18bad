/**
 * Restricts changes to sections of an instructor. Names are compared once per distinct list of instructors in a file:
 * comparing them row by row takes many times as long.
 */
import pLimit from "p-limit";
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { sql } from "../../duckdb/sql.ts";
import type { PartKind, Parts } from "../../snapshot/loading/parts.ts";
import { type ChangeValues, changeConditions, matchesInstructor } from "./change-filters.ts";
import type { ChangeFile, ChangeRange } from "./change-range.ts";

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

/**
 * Drops files without changes of a person's sections, and counts the matching changes of the others; `others` are the
 * filters besides the person.
 */
export async function onlyTaught(
  pool: Pool,
  parts: Parts,
  range: ChangeRange,
  instructorName: string,
  others: ChangeValues,
): Promise<{ readonly range: ChangeRange; readonly changesOf: ReadonlyMap<ChangeFile, number> }> {
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
  const changesOf = new Map<ChangeFile, number>();
  await pLimit(MAX_LOADING).map(range.files, async (file) => {
    const { lists, changes } = await parts.load(instructorLists, file, pool);
    const fileLists = changes.length === 0 ? [] : lists.split("\n");
    changesOf.set(
      file,
      fileLists.reduce((sum, list, i) => sum + (isTaught(list) ? (changes[i] as number) : 0), 0),
    );
  });
  // Sort the lists, so that equal conditions have equal texts, whatever the order of files.
  const taught = [...matchByList.keys()].filter(isTaught).sort();
  return {
    range: {
      ...range,
      files: range.files.filter((file) => changesOf.get(file)),
      filters: [
        sql`instructors IN (SELECT unnest(${`[${taught.join(",")}]`}::JSON::VARCHAR[][]))`,
        ...changeConditions(others),
      ],
    },
    changesOf,
  };
}
