/** The pipeline's DuckDB: in memory, bounded, spilling into a folder that goes with the run. */
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";

export interface Database {
  readonly connection: DuckDBConnection;
  /** Frees the memory and the spill files; a second call does nothing. */
  close(): void;
}

export interface DatabaseOptions {
  /** Such as `1GB`: what DuckDB may hold before it spills. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** Where it spills to: inside the run's staging folder, so that leftovers are collected with it. */
  readonly tempFolder: string;
}

export async function openDatabase({ memoryLimit, threads, tempFolder }: DatabaseOptions): Promise<Database> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    threads: String(threads),
    temp_directory: tempFolder,
    // Sorted files must not depend on the number of threads.
    preserve_insertion_order: "true",
    // Nothing is fetched at run time: what is not built in is an error.
    autoinstall_known_extensions: "false",
  });
  const connection = await instance.connect();
  let open = true;
  return {
    connection,
    close() {
      if (!open) return;
      open = false;
      connection.closeSync();
      instance.closeSync();
    },
  };
}
