/**
 * Reads a DuckLake catalogue by the specification's queries, as the extension does, and shares nothing with the code
 * that writes it.
 */
import { DuckDBInstance } from "@duckdb/node-api";

export interface LakeFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
}

export async function openCatalogue(path: string) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`ATTACH '${path}' AS catalogue (READ_ONLY); USE catalogue`);
  const rows = async <Row>(sql: string): Promise<Row[]> =>
    (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
  return {
    rows,
    connection,
    /** The files of a table in a snapshot, with whole addresses, by path. */
    async files(table: string, snapshot: number): Promise<LakeFile[]> {
      const summary = await rows<Record<string, string>>(
        `SELECT (SELECT value FROM ducklake_metadata WHERE key = 'data_path') || s.path || t.path || f.path AS path,
           f.record_count AS "rows", f.file_size_bytes AS bytes
         FROM ducklake_data_file f JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)
         WHERE t.table_name = '${table}' AND s.schema_name = 'main'
           AND ${snapshot} >= f.begin_snapshot AND (${snapshot} < f.end_snapshot OR f.end_snapshot IS NULL)
           AND ${snapshot} >= t.begin_snapshot AND ${snapshot} >= s.begin_snapshot
         ORDER BY path`,
      );
      return summary.map((file) => ({
        path: file["path"] ?? "",
        rows: Number(file["rows"]),
        bytes: Number(file["bytes"]),
      }));
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
