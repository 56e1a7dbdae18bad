/** An in-memory DuckDB with a memory limit and a spill folder. */
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";

export interface Database {
  readonly connection: DuckDBConnection;
  /** Idempotent. */
  close(): void;
}

export interface DatabaseOptions {
  /** DuckDB's memory limit, such as `1GB`. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** Inside the staging folder, so that leftovers are removed with it. */
  readonly tempFolder: string;
}

export async function openDatabase({ memoryLimit, threads, tempFolder }: DatabaseOptions): Promise<Database> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    threads: String(threads),
    temp_directory: tempFolder,
    // Files must not depend on the number of threads.
    preserve_insertion_order: "true",
    // No downloads at run time.
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
