/** A pool of connections to the server's database: one connection runs its statements one after another. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { openDatabase } from "./database.ts";
import {
  createQueryRunner,
  type Lease,
  type PreparedConnection,
  type QueryOptions,
  type QueryRunner,
  toPreparedConnection,
} from "./query-runner.ts";

export const LOADING: QueryOptions = { uncached: true, heavy: true, unlimited: true };

export interface Pool extends QueryRunner {
  /** The only folder that statements may write to; removed when the pool closes. */
  readonly tempDir: string;
  waiting(): number;
  /** More connections to the same database, for statements that must not wait behind those of this pool; `timed`: with the same time limit. */
  reserve(connections: number, options?: { readonly timed?: boolean }): Promise<Pool>;
  /** Interrupts what runs, then closes the database with every reserved connection. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly artifactsDir: string;
  readonly connections?: number;
  readonly memoryLimit?: string;
  /** The longest time of one statement in milliseconds, but for those that are `unlimited`. */
  readonly statementMs?: number;
  /** Gets the seconds that each statement waited for a connection. */
  readonly waits?: { observe(seconds: number): void };
  readonly database?: typeof openDatabase;
}

export async function createPool({
  artifactsDir,
  connections = 4,
  memoryLimit = "2GB",
  statementMs = Infinity,
  waits,
  database = openDatabase,
}: PoolOptions): Promise<Pool> {
  const tempDir = await mkdtemp(join(tmpdir(), "academic-data-"));
  const removeTempDir = () => rm(tempDir, { recursive: true, force: true });
  const instance = await database({ artifactsDir, tempDir, memoryLimit }).catch(async (error: unknown) => {
    await removeTempDir();
    throw error;
  });
  const all: PreparedConnection[] = [];
  const inFlight = new Set<Promise<unknown>>();
  let isClosing = false;

  /** Tracks native calls in flight: closing DuckDB during one crashes the process. */
  async function call<T>(run: () => Promise<T>): Promise<T> {
    if (isClosing) throw new Error("the database is being closed");
    const running = run();
    inFlight.add(running);
    try {
      return await running;
    } finally {
      inFlight.delete(running);
    }
  }

  async function open(count: number, timeoutMs: number, waits?: PoolOptions["waits"]): Promise<Pool> {
    const idle: PreparedConnection[] = [];
    while (idle.length < count) idle.push(toPreparedConnection(await instance.connect()));
    all.push(...idle);
    const any = pLimit(count);
    const heavyOnes = pLimit(Math.max(1, count - 1));

    function acquire(heavy: boolean): Promise<Lease> {
      const requested = performance.now();
      return new Promise((resolve) => {
        const use = () =>
          any(
            () =>
              new Promise<void>((done) => {
                const own = idle.pop() as PreparedConnection;
                const release = () => {
                  idle.push(own);
                  done();
                };
                waits?.observe((performance.now() - requested) / 1000);
                resolve({ ...own, release });
              }),
          );
        void (heavy ? heavyOnes(use) : use());
      });
    }

    return {
      ...createQueryRunner(acquire, call, timeoutMs),
      tempDir,
      waiting: () => any.pendingCount + heavyOnes.pendingCount,
      reserve: (more, { timed = false } = {}) => open(more, timed ? statementMs : Infinity),
      close,
    };
  }

  async function close(): Promise<void> {
    isClosing = true;
    for (const { connection } of all) connection.interrupt();
    while (inFlight.size > 0) await Promise.allSettled(inFlight);
    for (const { prepared, connection } of all.splice(0)) {
      prepared.clear();
      connection.closeSync();
    }
    instance.closeSync();
    await removeTempDir();
  }

  return open(connections, statementMs, waits);
}
