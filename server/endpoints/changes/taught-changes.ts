/** Whose sections the changes of a file are about: names are compared once for each list of instructors that a file has, as comparing them row by row takes many times as long. */
import pLimit from "p-limit";
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { sql } from "../../duckdb/sql.ts";
import type { PartKind, Parts } from "../../snapshot/loading/parts.ts";
import { type ChangeValues, changeConditions, matchesInstructor } from "./change-filters.ts";
import type { ChangeFile, ChangeRange } from "./change-range.ts";

/** The lists of instructors that the sections of a file had, and how many changes each has. */
interface InstructorLists {
  /** As JSON, one a line. */
  readonly lists: string;
  readonly changes: Int32Array;
}

/** Files that one question looks through at once. */
const MOST_AT_ONCE = 2;

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

/** A range without the files that have no change of sections of a person, and how many a file has of those; `others` are the filters besides the person. */
export async function onlyTaught(
  pool: Pool,
  parts: Parts,
  range: ChangeRange,
  instructorName: string,
  others: ChangeValues,
): Promise<{ readonly range: ChangeRange; readonly changesOf: ReadonlyMap<ChangeFile, number> }> {
  const matches = matchesInstructor(instructorName);
  /** By the list, as each is in many files. */
  const known = new Map<string, boolean>();
  const isTaught = (list: string): boolean => {
    let found = known.get(list);
    if (found === undefined) {
      const instructorKeys = (JSON.parse(list) as string[]).map(nameKey);
      known.set(list, (found = matches({ instructorKeys })));
    }
    return found;
  };
  const changesOf = new Map<ChangeFile, number>();
  await pLimit(MOST_AT_ONCE).map(range.files, async (file) => {
    const { lists, changes } = await parts.load(instructorLists, file, pool);
    const own = changes.length === 0 ? [] : lists.split("\n");
    changesOf.set(
      file,
      own.reduce((sum, list, i) => sum + (isTaught(list) ? (changes[i] as number) : 0), 0),
    );
  });
  // Sorted: equal questions are one, in whatever order the files came.
  const taught = [...known.keys()].filter(isTaught).sort();
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
