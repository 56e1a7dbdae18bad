/**
 * DuckDB in this process: an in-memory database and a pool of connections to it, each of which runs one statement at a
 * time. A second database runs statements over files.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { quoteLiteral } from "../../pipeline/contract/sql-text.ts";
import { type BoundRunner, NOBODY, type QueryOptions, type QueryRunner, TooManyStatements } from "./query.ts";
import { createQueue, NO_CLIENT } from "./queue.ts";
import { createQueryRunner, type Lease, type PreparedConnection, toPreparedConnection } from "./query-runner.ts";

export interface Pool extends BoundRunner {
  /** The only folder that statements may write to; removed when the pool closes. */
  readonly tempDir: string;
  /** Counts statements that wait for a connection or for their turn. */
  waiting(): number;
  /**
   * Opens more connections to the same database, for statements that must not wait behind those of this pool. `timed`
   * applies the same time limit.
   */
  reserve(connections: number, options?: { readonly timed?: boolean }): Promise<Pool>;
  /** Interrupts running statements, then closes the database with every reserved connection. */
  close(): Promise<void>;
}

interface PoolOptions {
  readonly artifactsDir: string;
  readonly connections?: number;
  /** The time limit of a statement in milliseconds, except for `unlimited` ones. */
  readonly statementMs?: number;
  /** Receives the seconds that each statement waited for a connection. */
  readonly waits?: { observe(seconds: number): void };
}

const MEMORY_LIMIT = "2GB";
/** The memory of all exports together; larger ones spill to disk. */
const FILES_MEMORY_LIMIT = "256MB";
/** The disk space for statements that do not fit in memory. */
const MOST_SPILLED = "4GB";
/**
 * The most heavy statements of requests that run at the same time. Each occupies one of the four threads on which Node
 * runs all native work; compression and short statements need the others.
 */
const MAX_RUNNING_HEAVY = 2;
const LONGEST_WAIT_MS = 1_000;

/** Opens a database that can only read `artifactsDir` and write `tempDir`, with a locked configuration. */
async function openDatabase(
  artifactsDir: string,
  tempDir: string,
  memoryLimit: string = MEMORY_LIMIT,
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    preserve_insertion_order: "true",
    // The pool's connections run statements in parallel; splitting a short statement among threads costs a quarter more
    // CPU time.
    threads: "1",
    // These return memory to the system after a load, which allocates and frees up to a hundred megabytes.
    allocator_background_threads: "true",
    allocator_flush_threshold: "8MB",
    allocator_bulk_deallocation_flush_threshold: "8MB",
  });
  const connection = await instance.connect();
  await connection.run(`SET temp_directory = ${quoteLiteral(join(tempDir, `spilled-${memoryLimit}`))}`);
  await connection.run(`SET max_temp_directory_size = '${MOST_SPILLED}'`);
  const allowed = [artifactsDir, tempDir].map((path) => quoteLiteral(`${path}/`));
  await connection.run(`SET allowed_directories = [${allowed.join(", ")}]`);
  // Every snapshot has new paths, so cached files would never be read again.
  await connection.run("SET enable_external_file_cache = false");
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  connection.closeSync();
  return instance;
}

export async function createPool({
  artifactsDir,
  connections = 4,
  statementMs = Infinity,
  waits,
}: PoolOptions): Promise<Pool> {
  const tempDir = await mkdtemp(join(tmpdir(), "academic-data-"));
  const removeTempDir = () => rm(tempDir, { recursive: true, force: true });
  const instances: DuckDBInstance[] = [];
  async function openInstance(memoryLimit: string): Promise<DuckDBInstance> {
    const instance = await openDatabase(artifactsDir, tempDir, memoryLimit);
    instances.push(instance);
    return instance;
  }
  const [instance, fileInstance] = await Promise.all([
    openInstance(MEMORY_LIMIT),
    openInstance(FILES_MEMORY_LIMIT),
  ]).catch(async (error: unknown) => {
    for (const openInstance of instances) openInstance.closeSync();
    await removeTempDir();
    throw error;
  });
  const all: PreparedConnection[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const heavyOfRequests = createQueue({ running: MAX_RUNNING_HEAVY });
  let files: QueryRunner | undefined;
  let isClosing = false;

  /** Tracks native calls in flight: closing DuckDB during a call crashes the process. */
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

  let lastTurn = performance.now();
  /**
   * Waits for a turn. Gives up when no turn began within a second, which means that the running statements take long; a
   * long queue of short statements keeps waiting.
   */
  async function enqueueHeavy(client: string, signal: AbortSignal | undefined): Promise<() => void> {
    const late = new AbortController();
    const check = () => {
      const left = lastTurn + LONGEST_WAIT_MS - performance.now();
      if (left > 0) timer = setTimeout(check, left);
      else late.abort(new TooManyStatements());
    };
    let timer = setTimeout(check, LONGEST_WAIT_MS);
    try {
      const release = await heavyOfRequests.enqueue(client, signal, late.signal);
      lastTurn = performance.now();
      return release;
    } finally {
      clearTimeout(timer);
    }
  }

  async function open(
    count: number,
    timeoutMs: number,
    waits?: PoolOptions["waits"],
    { database = instance, takesTurns: limitsHeavy = false } = {},
  ): Promise<Pool> {
    const idle: PreparedConnection[] = [];
    while (idle.length < count) idle.push(toPreparedConnection(await database.connect()));
    all.push(...idle);
    const connectionQueue = createQueue({ running: count });
    const heavyQueue = createQueue({ running: Math.max(1, count - 1) });

    async function acquire({ heavy, unlimited, signal, client = NO_CLIENT }: QueryOptions): Promise<Lease> {
      const requested = performance.now();
      const releases: (() => void)[] = [];
      const releaseAll = () => {
        for (const release of releases) release();
      };
      try {
        if (heavy && !unlimited && limitsHeavy) releases.push(await enqueueHeavy(client, signal));
        if (heavy) releases.push(await heavyQueue.enqueue(client, signal));
        releases.push(await connectionQueue.enqueue(client, signal));
      } catch (error) {
        releaseAll();
        throw error;
      }
      waits?.observe((performance.now() - requested) / 1000);
      const connection = idle.pop() as PreparedConnection;
      const release = () => {
        idle.push(connection);
        releaseAll();
      };
      return Object.assign({ release }, connection);
    }

    const runner = createQueryRunner(acquire, call, timeoutMs);
    return {
      ...runner,
      files: files ?? runner,
      signal: NOBODY.signal,
      tempDir,
      waiting: () => connectionQueue.waiting + heavyQueue.waiting + (limitsHeavy ? heavyOfRequests.waiting : 0),
      reserve: (more, { timed = false } = {}) => (timed ? open(more, statementMs, waits) : open(more, Infinity)),
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
    for (const openInstance of instances) openInstance.closeSync();
    await removeTempDir();
  }

  // One more connection than heavy statements can occupy.
  files = await open(MAX_RUNNING_HEAVY + 1, statementMs, waits, { database: fileInstance, takesTurns: true });
  return open(connections, statementMs, waits, { takesTurns: true });
}
