/** DuckDB in this process: one in-memory database, locked to reading the published files. */
import { DuckDBInstance } from "@duckdb/node-api";
import { quoteLiteral } from "../../pipeline/contract/sql-text.ts";

/** Opens it; it may read below `artifactsDir` and nowhere else, and its settings cannot be changed afterwards. */
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
    // What loading a table took for a moment goes back to the system, and is not kept for the next load.
    allocator_background_threads: "true",
  });
  const connection = await instance.connect();
  await connection.run(`SET allowed_directories = [${quoteLiteral(`${artifactsDir}/`)}]`);
  // Every generation has paths of its own: what was kept of the last one's files would never be asked for again.
  await connection.run("SET enable_external_file_cache = false");
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  connection.closeSync();
  return instance;
}
