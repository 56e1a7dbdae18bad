/** DuckDB in this browser, and the published tables that were loaded into it. Nothing of it is fetched before the first statement. */
import type { AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";
import type { ParquetFile } from "parquet-wasm";
import type { BulkManifest } from "../../../../pipeline/contract/bulk-manifest.ts";
import type { TablePlan } from "./sql-plan.ts";

type PublishedFile = BulkManifest["tables"][string]["files"][number];
export type Plan = readonly TablePlan<PublishedFile>[];

/** Told what is under way, and how much of it is done. */
export type Progress = (text: string, done: number, all: number) => void;

/** `files`: the address of the folder with the packages' WebAssembly. */
async function openDatabase(files: string, progress: Progress): Promise<AsyncDuckDBConnection> {
  const { AsyncDuckDB, VoidLogger } = await import("@duckdb/duckdb-wasm");
  const database = new AsyncDuckDB(new VoidLogger(), new Worker(`${files}/duckdb-browser-eh.worker.js`));
  const wasm = new URL(`${files}/duckdb-eh.wasm`, globalThis.location.href).href;
  await database.instantiate(wasm, null, ({ bytesLoaded, bytesTotal }) =>
    progress("Loading the database", bytesLoaded, bytesTotal),
  );
  await database.open({ query: { castBigIntToDouble: true, castDecimalToDouble: true } });
  const connection = await database.connect();
  // Extensions would come from elsewhere; this page asks nobody but its own server.
  await connection.query("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false");
  return connection;
}

/** DuckDB's own Parquet reader is not part of its package: it would be loaded from elsewhere. */
async function openParquetReader(files: string): Promise<typeof ParquetFile> {
  const { default: start, ParquetFile } = await import("parquet-wasm");
  await start({ module_or_path: `${files}/parquet_wasm_bg.wasm` });
  return ParquetFile;
}

async function fetchFile(url: string): Promise<Blob> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok) return response.blob();
  throw new Error(
    response?.status === 404
      ? "The snapshot was replaced meanwhile. Please run the statement again."
      : "A published file cannot be fetched.",
  );
}

export interface Answered {
  readonly table: Awaited<ReturnType<AsyncDuckDBConnection["query"]>>;
  /** How long the statement itself took. */
  readonly ms: number;
}

export interface Engine {
  /** Loads what the plan names and runs the statement. @throws Error with DuckDB's own words, or ours */
  run(statement: string, plan: Plan, progress: Progress): Promise<Answered>;
  /** True when the statement's tables are in memory already. */
  has(plan: Plan): boolean;
}

export function createEngine(files: string): Engine {
  let opened: readonly [AsyncDuckDBConnection, typeof ParquetFile] | undefined;
  /** Table → what of it is loaded. */
  const loaded = new Map<string, string>();

  async function load(
    [connection, reader]: NonNullable<typeof opened>,
    plan: Plan[number],
    progress: Progress,
  ): Promise<void> {
    const { name, files: published } = plan;
    const columns = plan.columns.map((column) => column.name);
    const key = JSON.stringify([columns, published.map(({ path }) => path)]);
    if (loaded.get(name) === key) return;
    loaded.delete(name);
    await connection.query(`DROP TABLE IF EXISTS "${name}"`);
    for (const [i, { url }] of published.entries()) {
      progress(`Reading ${name}, file ${i + 1} of ${published.length}`, i, published.length);
      const file = await reader.fromFile(await fetchFile(url));
      const rows = (await file.read({ columns })).intoIPCStream();
      await connection.insertArrowFromIPCStream(rows, { name, create: i === 0 });
    }
    if (published.length === 0)
      await connection.query(
        `CREATE TABLE "${name}" (${plan.columns.map((column) => `"${column.name}" ${column.type}`).join(", ")})`,
      );
    loaded.set(name, key);
  }

  return {
    async run(statement, plan, progress) {
      progress("Loading the database", 0, 1);
      opened ??= await Promise.all([openDatabase(files, progress), openParquetReader(files)]);
      for (const table of plan) await load(opened, table, progress);
      progress("Running the statement", 1, 1);
      const began = performance.now();
      return { table: await opened[0].query(statement), ms: performance.now() - began };
    },
    has: (plan) => opened !== undefined && plan.every(({ name }) => loaded.has(name)),
  };
}
