/**
 * A small pool of connections to the server's database (one connection runs its queries one after another). Statements are prepared once per connection.
 */
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBType,
  JSDuckDBValueConverter,
} from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { type Fragment, toStatement } from "./bind.ts";
import { openDatabase } from "./database.ts";
import { type CallsUnderWay, createCallsUnderWay } from "./calls-under-way.ts";
import { inTime } from "./statement-time.ts";

/** `once`: the statement does not come again, so it takes no other's place among the prepared ones, and what is bound to it is let go. */
export interface Manner {
  readonly once?: boolean;
  /** The statement may take long: there is always a connection that such statements leave to the others. */
  readonly large?: boolean;
}

export interface Pool {
  /** One statement; the answer's columns, each a list of values. */
  columns(statement: Fragment, manner?: Manner): Promise<unknown[][]>;
  /** One statement; the answer some rows at a time, as a list of columns. Holds one connection until the end. */
  chunks(statement: Fragment, manner?: Manner): AsyncIterable<unknown[][]>;
  /** One statement of INTEGER columns without nulls, read as they are: no value is made of each number. */
  integers(statement: Fragment, manner?: Manner): Promise<Int32Array[]>;
  /** Connections of their own to the same database: what runs there never waits behind what runs here. */
  beside(connections: number): Promise<Pool>;
  /** Statements that wait for a connection. */
  waiting(): number;
  /** Closes the database, with everything that was opened beside; what is under way is broken off first. */
  close(): Promise<void>;
}

interface Member {
  connection: DuckDBConnection;
  prepared: LRUCache<string, DuckDBPreparedStatement>;
}

interface Lending {
  /** The longest time for the statement of a question; one that comes only once, such as a load, has none. */
  readonly statementMs?: number;
  /** Told how long a statement waited for a connection, in milliseconds. */
  readonly waited?: (ms: number) => void;
}

interface Lent {
  prepared: DuckDBPreparedStatement;
  connection: DuckDBConnection;
}

/** Statements with different filters have different texts: this many of each connection stay prepared. */
const PREPARED_PER_CONNECTION = 128;
/** Few enough rows that reading long texts of theirs does not hold up the event loop. */
const ROWS_AT_A_TIME = 128;

/** Opens the database (see openDatabase) and its connections. */
export async function createPool({
  artifactsDir,
  connections = 4,
  memoryLimit = "2GB",
  database = openDatabase,
  ...lending
}: {
  artifactsDir: string;
  connections?: number;
  memoryLimit?: string;
  database?: typeof openDatabase;
} & Lending): Promise<Pool> {
  const instance = await database({ artifactsDir, memoryLimit });
  const members: Member[] = [];
  const calls = createCallsUnderWay();
  async function open(count: number, lending: Lending = {}): Promise<Pool> {
    const own: Member[] = [];
    while (own.length < count) {
      const prepared = new LRUCache<string, DuckDBPreparedStatement>({
        max: PREPARED_PER_CONNECTION,
        dispose: (statement) => statement.destroySync(),
      });
      own.push({ connection: await instance.connect(), prepared });
    }
    members.push(...own);
    return { ...lendOut(own, calls, lending), beside: (more) => open(more), close };
  }
  async function close(): Promise<void> {
    const ended = calls.end();
    for (const { connection } of members) connection.interrupt();
    await ended;
    for (const { prepared, connection } of members.splice(0)) {
      prepared.clear();
      connection.closeSync();
    }
    instance.closeSync();
  }
  return open(connections, lending);
}

/** Runs statements on whichever of the connections is free. */
function lendOut(
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
      for await (const { prepared } of lend(statement, manner)) {
        const result = await calls.run(() => prepared.stream());
        for (;;) {
          const chunk = await calls.run(() => result.fetchChunk());
          if (!chunk || chunk.rowCount === 0) break;
          for (let row = 0; row < chunk.rowCount; row += ROWS_AT_A_TIME) {
            const length = Math.min(ROWS_AT_A_TIME, chunk.rowCount - row);
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
    for (let row = 0; row < chunk.rowCount; row++) all[at++] = vector.getItem(row) as number;
  }
  return all;
}
