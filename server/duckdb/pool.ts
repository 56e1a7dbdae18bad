/**
 * DuckDB in this process: an in-memory database, and a pool of connections to it, each of which runs its statements one after another. A second database
 * is for statements over files.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import pLimit from "p-limit";
import { quoteLiteral } from "../../pipeline/contract/sql-text.ts";
import { type QueryOptions, type QueryRunner, TooManyStatements } from "./query.ts";
import { createQueryRunner, type Lease, type PreparedConnection, toPreparedConnection } from "./query-runner.ts";

export interface Pool extends QueryRunner {
  /** Runs statements that read nothing but files, such as exports, in a database of their own: what they need is taken from nobody else's memory. */
  readonly files: QueryRunner;
  /** The only folder that statements may write to; removed when the pool closes. */
  readonly tempDir: string;
  waiting(): number;
  /** More connections to the same database, for statements that must not wait behind those of this pool, nor for their turn; `timed`: with the same time limit. */
  reserve(connections: number, options?: { readonly timed?: boolean }): Promise<Pool>;
  /** Interrupts what runs, then closes the database with every reserved connection. */
  close(): Promise<void>;
}

interface PoolOptions {
  readonly artifactsDir: string;
  readonly connections?: number;
  /** The longest time of one statement in milliseconds, but for those that are `unlimited`. */
  readonly statementMs?: number;
  /** Gets the seconds that each statement waited for a connection. */
  readonly waits?: { observe(seconds: number): void };
}

const MEMORY_LIMIT = "2GB";
/** Of all exports together: larger ones spill. */
const FILES_MEMORY_LIMIT = "256MB";
/** Disk space for statements that do not fit in memory. */
const MOST_SPILLED = "4GB";
/** Heavy statements of requests. Each takes one of the four threads on which Node runs all native work: compression and short statements need the others. */
const HEAVY_AT_ONCE = 2;
const LONGEST_WAIT_MS = 1_000;

/** Restricts file access to reading `artifactsDir` and writing `tempDir`, and locks the configuration. */
async function openDatabase(
  artifactsDir: string,
  tempDir: string,
  memoryLimit: string = MEMORY_LIMIT,
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    preserve_insertion_order: "true",
    // The pool's connections run statements in parallel; splitting a short one among threads costs a quarter more processor time.
    threads: "1",
    // Returns memory to the system after a load, which takes and frees up to a hundred megabytes.
    allocator_background_threads: "true",
    allocator_flush_threshold: "8MB",
    allocator_bulk_deallocation_flush_threshold: "8MB",
  });
  const connection = await instance.connect();
  await connection.run(`SET temp_directory = ${quoteLiteral(join(tempDir, `spilled-${memoryLimit}`))}`);
  await connection.run(`SET max_temp_directory_size = '${MOST_SPILLED}'`);
  const allowed = [artifactsDir, tempDir].map((path) => quoteLiteral(`${path}/`));
  await connection.run(`SET allowed_directories = [${allowed.join(", ")}]`);
  // Every generation has new paths, so cached files would never be read again.
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
  const [instance, forFiles] = await Promise.all([openInstance(MEMORY_LIMIT), openInstance(FILES_MEMORY_LIMIT)]).catch(
    async (error: unknown) => {
      for (const opened of instances) opened.closeSync();
      await removeTempDir();
      throw error;
    },
  );
  const all: PreparedConnection[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const heavyOfRequests = pLimit(HEAVY_AT_ONCE);
  let files: QueryRunner | undefined;
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

  let lastTurn = performance.now();
  /** Refused when no turn began within a second: then what runs takes long. Short ones that are many wait. */
  function inTurn(use: () => Promise<void>, refuse: (error: Error) => void): void {
    let isRefused = false;
    const check = () => {
      const left = lastTurn + LONGEST_WAIT_MS - performance.now();
      if (left > 0) return void (timer = setTimeout(check, left));
      isRefused = true;
      refuse(new TooManyStatements());
    };
    let timer = setTimeout(check, LONGEST_WAIT_MS);
    void heavyOfRequests(() => {
      clearTimeout(timer);
      if (isRefused) return undefined;
      lastTurn = performance.now();
      return use();
    });
  }

  async function open(
    count: number,
    timeoutMs: number,
    waits?: PoolOptions["waits"],
    { database = instance, takesTurns = false } = {},
  ): Promise<Pool> {
    const idle: PreparedConnection[] = [];
    while (idle.length < count) idle.push(toPreparedConnection(await database.connect()));
    all.push(...idle);
    const any = pLimit(count);
    const heavyOnes = pLimit(Math.max(1, count - 1));

    function acquire({ heavy, unlimited }: Pick<QueryOptions, "heavy" | "unlimited">): Promise<Lease> {
      const requested = performance.now();
      return new Promise((resolve, reject) => {
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
        if (!heavy) void use();
        else if (unlimited || !takesTurns) void heavyOnes(use);
        else inTurn(() => heavyOnes(use), reject);
      });
    }

    const runner = createQueryRunner(acquire, call, timeoutMs);
    return {
      ...runner,
      files: files ?? runner,
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
    for (const opened of instances) opened.closeSync();
    await removeTempDir();
  }

  // Heavy statements leave one connection free.
  files = await open(HEAVY_AT_ONCE + 1, statementMs, waits, { database: forFiles, takesTurns: true });
  return open(connections, statementMs, waits, { takesTurns: true });
}
