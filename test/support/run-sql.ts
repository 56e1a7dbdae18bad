/** `make sql` without its command: a shell over an artifacts folder, and single statements. */
import type { SqlFormat } from "../../pipeline/publish/sql/sql-output.ts";
import { openSqlShell, type SqlOptions, type SqlShell } from "../../pipeline/publish/sql/sql-shell.ts";
import { readAsOf, readPublished, tableFiles } from "../../pipeline/store/published.ts";

interface Options extends SqlOptions {
  /** A snapshot id, a campus day or a time. */
  readonly asOf?: string;
}

/** @throws UsageError when nothing is published or retained */
export const openSql = async (artifacts: string, { asOf, ...options }: Options): Promise<SqlShell> =>
  openSqlShell(
    tableFiles(await (asOf === undefined ? readPublished(artifacts) : readAsOf(artifacts, asOf, new Date()))),
    options,
  );

/** Opens a shell, runs a statement, closes. @throws UsageError as both do */
export async function* runSql(
  artifacts: string,
  sql: string,
  format: SqlFormat,
  options: Options,
): AsyncGenerator<string> {
  const shell = await openSql(artifacts, options);
  try {
    yield* shell.run(sql, { format });
  } finally {
    shell.close();
  }
}
