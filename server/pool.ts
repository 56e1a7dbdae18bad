/**
 * DuckDB in this process: one in-memory database, locked to reading the published files, behind a small pool of connections
 * (one connection runs its queries one after another). Statements are prepared once per connection.
 */
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement, type DuckDBType } from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { type Fragment, toStatement } from "./bind.ts";

/** `once`: the statement does not come again, so it takes no other's place among the prepared ones, and what is bound to it is let go. */
export interface Manner {
  readonly once?: boolean;
}

export interface Pool {
  /** One statement; the answer's columns, each a list of values. */
  columns(statement: Fragment, manner?: Manner): Promise<unknown[][]>;
  /** One statement; the answer chunk by chunk, each a list of columns. Holds one connection until the end. */
  chunks(statement: Fragment, manner?: Manner): AsyncIterable<unknown[][]>;
  close(): void;
}

interface Member {
  connection: DuckDBConnection;
  prepared: LRUCache<string, DuckDBPreparedStatement>;
}

/** Statements with different filters have different texts: this many of each connection stay prepared. */
const PREPARED_PER_CONNECTION = 128;

/** Opens the database; it may read below `artifactsDir` and nowhere else, and its settings cannot be changed afterwards. */
export async function createPool({
  artifactsDir,
  connections = 4,
  memoryLimit = "2GB",
}: {
  artifactsDir: string;
  connections?: number;
  memoryLimit?: string;
}): Promise<Pool> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    preserve_insertion_order: "true",
  });
  const first = await instance.connect();
  await first.run(`SET allowed_directories = ['${`${artifactsDir}/`.replaceAll("'", "''")}']`);
  // Every generation has paths of its own: what was kept of the last one's files would never be asked for again.
  await first.run("SET enable_external_file_cache = false");
  await first.run("SET enable_external_access = false");
  await first.run("SET lock_configuration = true");

  const all: Member[] = [];
  for (let i = 0; i < connections; i++) {
    all.push({
      connection: i === 0 ? first : await instance.connect(),
      prepared: new LRUCache({ max: PREPARED_PER_CONNECTION, dispose: (statement) => statement.destroySync() }),
    });
  }
  const free = [...all];
  const waiting: ((member: Member) => void)[] = [];

  const take = (): Promise<Member> => {
    const member = free.pop();
    return member ? Promise.resolve(member) : new Promise((resolve) => waiting.push(resolve));
  };
  const give = (member: Member): void => {
    const next = waiting.shift();
    if (next) next(member);
    else free.push(member);
  };

  async function prepare(
    member: Member,
    { text, once }: { text: string; once: boolean },
  ): Promise<DuckDBPreparedStatement> {
    const known = once ? undefined : member.prepared.get(text);
    if (known) return known;
    const prepared = await member.connection.prepare(text);
    if (!once) member.prepared.set(text, prepared);
    return prepared;
  }

  /** Lends a connection with the statement prepared and bound; both are given back when the loop that uses them ends. */
  async function* lend(statement: Fragment, { once = false }: Manner): AsyncGenerator<DuckDBPreparedStatement> {
    const member = await take();
    let prepared: DuckDBPreparedStatement | undefined;
    try {
      const { text, values, types } = toStatement(statement);
      prepared = await prepare(member, { text, once });
      if (values.length > 0) prepared.bind(values, types as DuckDBType[]);
      yield prepared;
    } finally {
      if (once) prepared?.destroySync();
      give(member);
    }
  }

  return {
    async columns(statement, manner = {}) {
      for await (const prepared of lend(statement, manner)) return (await prepared.runAndReadAll()).getColumnsJS();
      return [];
    },
    async *chunks(statement, manner = {}) {
      for await (const prepared of lend(statement, manner)) {
        const result = await prepared.stream();
        for (;;) {
          const chunk = await result.fetchChunk();
          if (!chunk || chunk.rowCount === 0) break;
          yield Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnValues(i) as unknown[]);
        }
      }
    },
    close() {
      for (const member of all) {
        member.prepared.clear();
        member.connection.closeSync();
      }
      instance.closeSync();
    },
  };
}
