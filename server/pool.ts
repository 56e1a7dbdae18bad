/**
 * DuckDB in this process: one in-memory database, locked to reading the published files, behind a small pool of connections
 * (one connection runs its queries one after another). Statements are prepared once per connection.
 */
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement, type DuckDBType } from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { type Fragment, toStatement } from "./bind.ts";

export interface Pool {
  /** One statement; the answer's columns, each a list of values. */
  columns(statement: Fragment): Promise<unknown[][]>;
  /** One statement; the answer chunk by chunk, each a list of columns. Holds one connection until the end. */
  chunks(statement: Fragment): AsyncIterable<unknown[][]>;
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

  async function prepare(member: Member, statement: Fragment): Promise<DuckDBPreparedStatement> {
    const { text, values, types } = toStatement(statement);
    let prepared = member.prepared.get(text);
    if (!prepared) {
      prepared = await member.connection.prepare(text);
      member.prepared.set(text, prepared);
    }
    if (values.length > 0) prepared.bind(values, types as DuckDBType[]);
    return prepared;
  }

  return {
    async columns(statement) {
      const member = await take();
      try {
        const prepared = await prepare(member, statement);
        return (await prepared.runAndReadAll()).getColumnsJS();
      } finally {
        give(member);
      }
    },
    async *chunks(statement) {
      const member = await take();
      try {
        const result = await (await prepare(member, statement)).stream();
        for (;;) {
          const chunk = await result.fetchChunk();
          if (!chunk || chunk.rowCount === 0) return;
          yield Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnValues(i) as unknown[]);
        }
      } finally {
        give(member);
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
