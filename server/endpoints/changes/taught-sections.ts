/** Whose sections the changes of a file are about: a person is turned into sections first, as comparing names row by row takes many times as long. */
import pLimit from "p-limit";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { constant, sql } from "../../duckdb/sql.ts";
import type { PartKind, Parts } from "../../snapshot/loading/parts.ts";
import { isAnyOf } from "../filters.ts";
import { FILTERED_COLUMNS, matchesInstructor } from "./change-filters.ts";
import type { ChangeFile, ChangeRange } from "./change-range.ts";

/** Sections with how many changes each has, by who taught them then. */
interface TaughtSections {
  /** Keys of names, one a line: of each group of instructors. */
  readonly instructors: readonly string[];
  /** The sections of group `i` are those from `starts[i]` to `starts[i + 1]`. */
  readonly starts: Int32Array;
  readonly codes: Int32Array;
  readonly changes: Int32Array;
}

const KEYS = constant(`array_to_string(${FILTERED_COLUMNS.instructorKeys}, chr(10))`);
const BYTES_PER_GROUP = 100;
/** Files that one question looks through at once. */
const MOST_AT_ONCE = 2;

const taughtSections: PartKind<TaughtSections> = {
  name: "taught sections",
  async make(pool, rows) {
    const [keys = [], codes = [], changes = []] = await pool.columns(
      sql`SELECT ${KEYS} AS keys, code, changes
        FROM (SELECT instructors, sectionCode::INTEGER AS code, count(*)::INTEGER AS changes FROM ${rows} GROUP BY ALL)
        ORDER BY keys`,
      OVER_FILES,
    );
    const starts = keys.flatMap((one, i) => (one === keys[i - 1] ? [] : [i]));
    return {
      instructors: starts.map((at) => keys[at] as string),
      starts: Int32Array.of(...starts, keys.length),
      codes: Int32Array.from(codes as number[]),
      changes: Int32Array.from(changes as number[]),
    };
  },
  bytesOf: ({ instructors, codes }) => BYTES_PER_GROUP * instructors.length + 8 * codes.length,
};

/** A range without the files and sections that a person does not teach, and how many changes of theirs a file has. */
export async function onlyTaught(
  pool: Pool,
  parts: Parts,
  range: ChangeRange,
  instructorName: string,
): Promise<{ readonly range: ChangeRange; readonly changesOf: ReadonlyMap<ChangeFile, number> }> {
  const matches = matchesInstructor(instructorName);
  const known = new Map<string, boolean>();
  const isTaught = (instructors: string): boolean => {
    let found = known.get(instructors);
    const instructorKeys = instructors === "" ? [] : instructors.split("\n");
    if (found === undefined) known.set(instructors, (found = matches({ instructorKeys })));
    return found;
  };
  const codes = new Set<number>();
  const changesOf = new Map<ChangeFile, number>();
  await pLimit(MOST_AT_ONCE).map(range.files, async (file) => {
    const taught = await parts.load(taughtSections, file, pool);
    let changes = 0;
    for (const [i, instructors] of taught.instructors.entries()) {
      if (!isTaught(instructors)) continue;
      for (let at = taught.starts[i] as number; at < (taught.starts[i + 1] as number); at++) {
        codes.add(taught.codes[at] as number);
        changes += taught.changes[at] as number;
      }
    }
    changesOf.set(file, changes);
  });
  const texts = [...codes].map((code) => String(code).padStart(5, "0"));
  return {
    range: {
      ...range,
      files: range.files.filter((file) => changesOf.get(file)),
      filters: [isAnyOf(constant("sectionCode"), texts), ...range.filters],
    },
    changesOf,
  };
}
