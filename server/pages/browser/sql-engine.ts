/** DuckDB in this browser, and the published tables that were loaded into it. Nothing of it is fetched before the first statement. */
import type { AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";
import type { Table } from "apache-arrow";
import type { BulkManifest } from "../../../pipeline/contract/bulk-manifest.ts";
import { openParquetReader, type ReadParquet } from "./parquet-reader.ts";
import type { Column, TablePlan } from "./sql-plan.ts";

type PublishedFile = BulkManifest["tables"][string]["files"][number];
export type Plan = readonly TablePlan<PublishedFile>[];

/** Told what is under way, and how much of it is done. */
export type Progress = (text: string, done: number, all: number) => void;

/** `files`: the address of the folder with DuckDB's own files. */
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

/** The SQL that makes a column, as Arrow brought it, what it is in the published table. */
export function castOf({ name, type }: Column): string {
  const column = `"${name}"`;
  if (type.startsWith("MAP(") && type.endsWith(")")) return `map_from_entries(${column})::${type} AS ${column}`;
  return type.startsWith("DECIMAL") ? `${column}::${type} AS ${column}` : column;
}

export interface Answered {
  readonly table: Table;
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
  let connection: AsyncDuckDBConnection | undefined;
  let read: ReadParquet | undefined;
  /** Table → what of it is loaded. */
  const loaded = new Map<string, string>();

  async function load({ name, columns, files }: Plan[number], into: AsyncDuckDBConnection, progress: Progress) {
    const key = JSON.stringify([columns.map((column) => column.name), files.map(({ path }) => path)]);
    if (loaded.get(name) === key) return;
    loaded.delete(name);
    read ??= openParquetReader();
    const held = `loaded_${name}`;
    await into.query(`DROP VIEW IF EXISTS "${name}"; DROP TABLE IF EXISTS "${held}"`);
    for (const [i, { url }] of files.entries()) {
      progress(`Reading ${name}, file ${i + 1} of ${files.length}`, i, files.length);
      await into.insertArrowFromIPCStream(await read(url, columns), { name: held, create: i === 0 });
    }
    const empty = columns.map((column) => `NULL::${column.type} AS "${column.name}"`).join(", ");
    const content = files.length === 0 ? `${empty} WHERE false` : `${columns.map(castOf).join(", ")} FROM "${held}"`;
    await into.query(`CREATE VIEW "${name}" AS SELECT ${content}`);
    loaded.set(name, key);
  }

  return {
    async run(statement, plan, progress) {
      progress("Loading the database", 0, 1);
      connection ??= await openDatabase(files, progress);
      for (const table of plan) await load(table, connection, progress);
      progress("Running the statement", 1, 1);
      const began = performance.now();
      return { table: await connection.query(statement), ms: performance.now() - began };
    },
    has: (plan) => connection !== undefined && plan.every(({ name }) => loaded.has(name)),
  };
}
