/** DuckDB in the browser with the loaded tables. Nothing is fetched before the first statement. */
import type { AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";
import type { ParquetFile } from "parquet-wasm";
import type { BulkManifest } from "../../../../pipeline/contract/documents/bulk-manifest.ts";
import type { TablePlan, View } from "./sql-plan.ts";

type PublishedFile = BulkManifest["tables"][string]["files"][number];
export type Plan = readonly TablePlan<PublishedFile>[];

export type Progress = (text: string, done: number, all: number) => void;

/** `files`: URL of the folder with the WebAssembly files. */
async function openDatabase(files: string, progress: Progress): Promise<AsyncDuckDBConnection> {
  const { AsyncDuckDB, VoidLogger } = await import("@duckdb/duckdb-wasm");
  const database = new AsyncDuckDB(new VoidLogger(), new Worker(`${files}/duckdb-browser-eh.worker.js`));
  const wasm = new URL(`${files}/duckdb-eh.wasm`, globalThis.location.href).href;
  await database.instantiate(wasm, null, ({ bytesLoaded, bytesTotal }) =>
    progress("Loading the database", bytesLoaded, bytesTotal),
  );
  await database.open({ query: { castBigIntToDouble: true, castDecimalToDouble: true } });
  const connection = await database.connect();
  // Extensions would be fetched from another host.
  await connection.query("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false");
  return connection;
}

/** DuckDB's Parquet reader is an extension, fetched from another host; this package replaces it. */
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
      ? "The snapshot has been replaced. Please run the statement again."
      : "Cannot fetch a published file.",
  );
}

export interface QueryResult {
  readonly table: Awaited<ReturnType<AsyncDuckDBConnection["query"]>>;
  readonly ms: number;
}

export interface Engine {
  /** Loads the plan's tables, makes the views, and runs the statement. @throws Error whose message can be shown */
  run(statement: string, plan: Plan, views: readonly View[], progress: Progress): Promise<QueryResult>;
  has(plan: Plan): boolean;
}

export function createEngine(files: string): Engine {
  let opened: readonly [AsyncDuckDBConnection, typeof ParquetFile] | undefined;
  /** Table → key of its loaded columns and files. */
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
    const aliases = plan.columns.flatMap(({ name: column, alias }) => (alias ? [`, "${column}" AS "${alias}"`] : []));
    if (aliases.length > 0)
      await connection.query(`CREATE OR REPLACE TABLE "${name}" AS SELECT *${aliases.join("")} FROM "${name}"`);
    loaded.set(name, key);
  }

  return {
    async run(statement, plan, views, progress) {
      progress("Loading the database", 0, 1);
      opened ??= await Promise.all([openDatabase(files, progress), openParquetReader(files)]);
      for (const table of plan) await load(opened, table, progress);
      for (const { name, select } of views) await opened[0].query(`CREATE OR REPLACE VIEW "${name}" AS ${select}`);
      progress("Running the statement", 1, 1);
      const began = performance.now();
      return { table: await opened[0].query(statement), ms: performance.now() - began };
    },
    has: (plan) => opened !== undefined && plan.every(({ name }) => loaded.has(name)),
  };
}
