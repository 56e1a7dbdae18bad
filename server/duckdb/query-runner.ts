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
import { type Fragment, toStatement } from "./sql.ts";
import type { CallsUnderWay } from "./in-flight-calls.ts";
import { inTime } from "./timeout.ts";

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

/** What statements can be run by. */
export interface Lent {
  /** One statement; the answer's columns, each a list of values. */
  columns(statement: Fragment, manner?: Manner): Promise<unknown[][]>;
  /** One statement; the answer some rows at a time, as a list of columns. Holds one connection until the end. */
  chunks(statement: Fragment, manner?: Manner): AsyncIterable<unknown[][]>;
  /** One statement of INTEGER columns without nulls, read as they are: no value is made of each number. */
  integers(statement: Fragment, manner?: Manner): Promise<Int32Array[]>;
  /** Statements that wait for a connection. */
  waiting(): number;
}

/** `once`: the statement does not come again, so it takes no other's place among the prepared ones, and what is bound to it is let go. */
export interface Manner {
  readonly once?: boolean;
  /** The statement may take long: there is always a connection that such statements leave to the others. */
  readonly large?: boolean;
}

interface Loan {
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
): Lent {
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
  async function* lend(statement: Fragment, { once = false, large = false }: Manner): AsyncGenerator<Loan> {
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
  function run<T>(lent: Loan, { once = false }: Manner, start: (lent: Loan) => Promise<T>): Promise<T> {
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
      for await (const { prepared } of lend(statement, manner)) {
        const result = await calls.run(() => prepared.stream());
        for (;;) {
          const chunk = await calls.run(() => result.fetchChunk());
          if (!chunk || chunk.rowCount === 0) break;
          const { rowCount } = chunk;
          for (let row = 0; row < rowCount; row += ROWS_AT_A_TIME) {
            const length = Math.min(ROWS_AT_A_TIME, rowCount - row);
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
