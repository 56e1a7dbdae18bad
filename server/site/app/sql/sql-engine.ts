/** DuckDB in the browser with the loaded tables. Nothing is fetched before the first statement. */
import type { AsyncDuckDB, AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";
import type * as Parquet from "parquet-wasm";
import type { BulkManifest } from "../../../../pipeline/contract/documents/bulk-manifest.ts";
import { resourceAddress } from "../data/addresses.ts";
import { checkNames, createShapes, overShapes } from "./sql-shapes.ts";
import type { TablePlan, View } from "./sql-plan.ts";

type PublishedFile = BulkManifest["tables"][string]["files"][number];
export type Plan = readonly TablePlan<PublishedFile>[];

export type Progress = (text: string, done: number, all: number) => void;

export interface QueryResult {
  readonly table: Awaited<ReturnType<AsyncDuckDBConnection["query"]>>;
  readonly ms: number;
}

/** `ARROW1` and two zeros. */
const ARROW_MAGIC_BYTES = 8;

interface Opened {
  readonly database: AsyncDuckDB;
  readonly connection: AsyncDuckDBConnection;
  readonly parquet: typeof Parquet;
  /** Snapshot whose tables can be named. */
  snapshot: string;
}

/** `files`: URL of the folder with the WebAssembly files. */
async function openDatabase(files: string, worker: Worker, progress: Progress): Promise<Opened> {
  const [{ AsyncDuckDB, VoidLogger }, parquet] = await Promise.all([
    import("@duckdb/duckdb-wasm"),
    import("parquet-wasm"),
  ]);
  const database = new AsyncDuckDB(new VoidLogger(), worker);
  const wasm = new URL(`${files}/duckdb-eh.wasm`, globalThis.location.href).href;
  await Promise.all([
    database.instantiate(wasm, null, ({ bytesLoaded, bytesTotal }) =>
      progress("Loading the database", bytesLoaded, bytesTotal),
    ),
    // DuckDB's Parquet reader is an extension, fetched from another host; this package replaces it.
    parquet.default({ module_or_path: `${files}/parquet_wasm_bg.wasm` }),
  ]);
  await database.open({ query: { castDecimalToDouble: true } });
  const connection = await database.connect();
  // Extensions would be fetched from another host.
  await connection.query("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false");
  return { database, connection, parquet, snapshot: "" };
}

async function fetchFile(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(resourceAddress(url), { signal }).catch(() => undefined);
  if (response?.ok) return response.blob();
  throw new Error(
    response?.status === 404
      ? "The snapshot has been replaced. Please run the statement again."
      : "Cannot fetch a published file.",
  );
}

export class Engine {
  /** URL of the folder with the WebAssembly files. */
  readonly #files: string;
  #worker: Worker | undefined;
  #opened: Promise<Opened> | undefined;
  /** Table → key of its loaded columns and files. */
  readonly #loaded = new Map<string, string>();

  constructor(files: string) {
    this.#files = files;
  }

  /** Checks the names of a statement before files are fetched. @throws Error whose message can be shown */
  async check(statement: string, manifest: BulkManifest, progress: Progress): Promise<void> {
    progress("Loading the database", 0, 1);
    this.#worker ??= new Worker(`${this.#files}/duckdb-browser-eh.worker.js`);
    this.#opened ??= openDatabase(this.#files, this.#worker, progress);
    const opened = await this.#opened;
    if (opened.snapshot !== manifest.id) await createShapes(opened.connection, manifest);
    opened.snapshot = manifest.id;
    await checkNames(opened.connection, statement);
  }

  /**
   * Loads the plan's tables, creates the views, and runs a checked statement. Without a plan it reads no rows.
   * @throws Error whose message can be shown
   */
  async run(
    statement: string,
    plan: Plan,
    views: readonly View[],
    progress: Progress,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    const { connection } = await this.#need();
    for (const table of plan) await this.#load(table, progress, signal);
    for (const { name, select } of plan.length > 0 ? views : [])
      await connection.query(`CREATE OR REPLACE VIEW "${name}" AS ${select}`);
    progress("Running the statement", 1, 1);
    const began = performance.now();
    const run = () => connection.query(statement);
    const table = await (plan.length > 0 ? run() : overShapes(connection, run));
    return { table, ms: performance.now() - began };
  }

  /** The rows of a statement that has run, as a Parquet file. */
  async toParquet(statement: string, readsRows: boolean): Promise<Uint8Array> {
    const { connection, parquet } = await this.#need();
    const run = () => connection.useUnsafe((bindings, id) => bindings.runQuery(id, statement));
    const rows = await (readsRows ? run() : overShapes(connection, run));
    // An Arrow file is a stream between a magic word and a footer.
    return parquet.writeParquet(parquet.Table.fromIPCStream(rows.subarray(ARROW_MAGIC_BYTES)));
  }

  /** Ends what runs, and the database with it: one thread does all, and hears nothing while it works. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#opened = undefined;
    this.#loaded.clear();
  }

  has(plan: Plan): boolean {
    return plan.every(({ name }) => this.#loaded.has(name));
  }

  #need(): Promise<Opened> {
    return this.#opened ?? Promise.reject(new Error("Please run the statement again."));
  }

  async #load(plan: Plan[number], progress: Progress, signal: AbortSignal): Promise<void> {
    const { connection, parquet } = await this.#need();
    const { name, files: published } = plan;
    const columns = plan.columns.map((column) => column.name);
    const key = JSON.stringify([columns, published.map(({ path }) => path)]);
    if (this.#loaded.get(name) === key) return;
    this.#loaded.delete(name);
    await connection.query(`DROP TABLE IF EXISTS "${name}"`);
    for (const [i, { url }] of published.entries()) {
      progress(`Reading ${name}, file ${i + 1} of ${published.length}`, i, published.length);
      const file = await parquet.ParquetFile.fromFile(await fetchFile(url, signal));
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
    this.#loaded.set(name, key);
  }
}
