/**
 * A small pool of connections to the server's database (one connection runs its queries one after another). Statements are prepared once per connection.
 */
import type { DuckDBPreparedStatement } from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { openDatabase } from "./database.ts";
import { createCallsUnderWay } from "./in-flight-calls.ts";
import { type Lending, lendOut, type Lent, type Manner, type Member } from "./query-runner.ts";

/** How a load's statements run: its tables are its own, and questions always find a connection. */
export const LOADING: Manner = { once: true, large: true };

export interface Pool extends Lent {
  /** Connections of their own to the same database: what runs there never waits behind what runs here. */
  beside(connections: number): Promise<Pool>;
  /** Closes the database, with everything that was opened beside; what is under way is broken off first. */
  close(): Promise<void>;
}

/** Statements with different filters have different texts: this many of each connection stay prepared. */
const PREPARED_PER_CONNECTION = 128;

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
