/** Lends a pool's connections to statements, each to one at a time, and reads what comes of them. */
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBType,
  JSDuckDBValueConverter,
} from "@duckdb/node-api";
import type { LRUCache } from "lru-cache";
import { type Fragment, toStatement } from "./bind.ts";
import type { CallsUnderWay } from "./calls-under-way.ts";
import type { Manner, Pool } from "./pool.ts";
import { inTime } from "./statement-time.ts";

export interface Member {
  connection: DuckDBConnection;
  prepared: LRUCache<string, DuckDBPreparedStatement>;
}

export interface Lending {
  /** The longest time for the statement of a question; one that comes only once, such as a load, has none. */
  readonly statementMs?: number;
  /** Told how long a statement waited for a connection, in milliseconds. */
  readonly waited?: (ms: number) => void;
}

interface Lent {
  prepared: DuckDBPreparedStatement;
  connection: DuckDBConnection;
}

/** Few enough rows that reading long texts of theirs does not hold up the event loop. */
const ROWS_AT_A_TIME = 128;

/** Runs statements on whichever of the connections is free. */
export function lendOut(
  members: readonly Member[],
  calls: CallsUnderWay,
  { statementMs = Infinity, waited }: Lending,
): Pick<Pool, "columns" | "chunks" | "integers" | "waiting"> {
  const free = [...members];
  const waiting: { readonly large: boolean; readonly take: (member: Member) => void }[] = [];
  const mostLarge = Math.max(1, members.length - 1);
  let largeOnes = 0;

  /** In the order of asking, but that large ones step aside while there are enough of them. */
  function lendNext(): void {
    if (free.length === 0) return;
    const next = waiting.findIndex(({ large }) => !large || largeOnes < mostLarge);
    const member = next < 0 ? undefined : free.pop();
    if (!member) return;
    const [one] = waiting.splice(next, 1);
    if (one?.large) largeOnes++;
    one?.take(member);
  }
  const take = async (large: boolean): Promise<Member> => {
    const asked = performance.now();
    const member = await new Promise<Member>((resolve) => {
      waiting.push({ large, take: resolve });
      lendNext();
    });
    waited?.(performance.now() - asked);
    return member;
  };
  const give = (member: Member, large: boolean): void => {
    free.push(member);
    if (large) largeOnes--;
    lendNext();
  };

  async function prepare(
    member: Member,
    { text, once }: { text: string; once: boolean },
  ): Promise<DuckDBPreparedStatement> {
    const known = once ? undefined : member.prepared.get(text);
    if (known) return known;
    const prepared = await calls.run(() => member.connection.prepare(text));
    if (!once) member.prepared.set(text, prepared);
    return prepared;
  }

  /** Lends a connection with the statement prepared and bound; both are given back when the loop that uses them ends. */
  async function* lend(statement: Fragment, { once = false, large = false }: Manner): AsyncGenerator<Lent> {
    const member = await take(large);
    let prepared: DuckDBPreparedStatement | undefined;
    try {
      const { text, values, types } = toStatement(statement);
      prepared = await prepare(member, { text, once });
      if (values.length > 0) prepared.bind(values, types as DuckDBType[]);
      yield { prepared, connection: member.connection };
    } finally {
      if (once) prepared?.destroySync();
      give(member, large);
    }
  }

  /** For no longer than a question's statement may take. */
  function run<T>(lent: Lent, { once = false }: Manner, start: (lent: Lent) => Promise<T>): Promise<T> {
    if (once || statementMs === Infinity) return calls.run(() => start(lent));
    return calls.run(() => inTime(lent.connection, statementMs, () => start(lent)));
  }

  return {
    async columns(statement, manner = {}) {
      for await (const lent of lend(statement, manner)) {
        const result = await run(lent, manner, ({ prepared }) => prepared.run());
        const chunks = chunksOf(result);
        return Array.from({ length: result.columnCount }, (_, column) =>
          chunks.flatMap((chunk) => chunk.convertColumnValues(column, JSDuckDBValueConverter)),
        );
      }
      return [];
    },
    async integers(statement, manner = {}) {
      for await (const lent of lend(statement, manner)) {
        const result = await run(lent, manner, ({ prepared }) => prepared.run());
        const chunks = chunksOf(result);
        return Array.from({ length: result.columnCount }, (_, column) => readIntegers(chunks, column));
      }
      return [];
    },
    async *chunks(statement, manner = {}) {
      const { rows = ROWS_AT_A_TIME } = manner;
      for await (const { prepared } of lend(statement, manner)) {
        const result = await calls.run(() => prepared.stream());
        for (;;) {
          const chunk = await calls.run(() => result.fetchChunk());
          if (!chunk || chunk.rowCount === 0) break;
          const { rowCount } = chunk;
          for (let row = 0; row < rowCount; row += rows) {
            const length = Math.min(rows, rowCount - row);
            yield Array.from({ length: chunk.columnCount }, (_, column) => {
              const vector = chunk.getColumnVector(column);
              return Array.from({ length }, (_, i) => vector.getItem(row + i) as unknown);
            });
          }
        }
      }
    },
    waiting: () => waiting.length,
  };
}

/** The result is complete: asking for its chunks one by one, each on a thread of its own, would take longer than the statement. */
const chunksOf = (result: DuckDBMaterializedResult): DuckDBDataChunk[] =>
  Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i));

function readIntegers(chunks: readonly DuckDBDataChunk[], column: number): Int32Array {
  const all = new Int32Array(chunks.reduce((rows, chunk) => rows + chunk.rowCount, 0));
  let at = 0;
  for (const chunk of chunks) {
    const vector = chunk.getColumnVector(column);
    // A chunk's own count is asked of the database each time.
    for (let row = 0; row < vector.itemCount; row++) all[at++] = vector.getItem(row) as number;
  }
  return all;
}
