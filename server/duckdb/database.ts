/** DuckDB in this process: one in-memory database, locked to the published files and a temporary folder. */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { quoteLiteral } from "../../pipeline/contract/sql-text.ts";

/** Disk space for statements that do not fit in memory. */
const MOST_SPILLED = "4GB";

/** Restricts file access to reading `artifactsDir` and writing `tempDir`, and locks the configuration. */
export async function openDatabase({
  artifactsDir,
  tempDir,
  memoryLimit,
}: {
  artifactsDir: string;
  tempDir: string;
  memoryLimit: string;
}): Promise<DuckDBInstance> {
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
  await connection.run(`SET temp_directory = ${quoteLiteral(join(tempDir, "spilled"))}`);
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
