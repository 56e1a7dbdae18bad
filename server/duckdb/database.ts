/** DuckDB in this process: one in-memory database, locked to reading the published files. */
import { DuckDBInstance } from "@duckdb/node-api";

/** Restricts file access to `artifactsDir` and locks the configuration. */
export async function openDatabase({
  artifactsDir,
  memoryLimit,
}: {
  artifactsDir: string;
  memoryLimit: string;
}): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    preserve_insertion_order: "true",
    // Returns memory to the system after a load.
    allocator_background_threads: "true",
  });
  const connection = await instance.connect();
  await connection.run(`SET allowed_directories = ['${`${artifactsDir}/`.replaceAll("'", "''")}']`);
  // Every generation has new paths, so cached files would never be read again.
  await connection.run("SET enable_external_file_cache = false");
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  connection.closeSync();
  return instance;
}
