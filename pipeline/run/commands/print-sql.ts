/**
 * `make sql`: runs statements of the command line, of standard input or of a prompt, and prints their rows as they
 * arrive.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { readFormat, type SqlFormat } from "../../publish/sql/sql-output.ts";
import { openSqlShell } from "../../publish/sql/sql-shell.ts";
import type { Environment } from "../../settings/settings.ts";
import { readAsOf, readPublished, tableFiles } from "../../store/published.ts";
import { splitStatements } from "../../publish/sql/statement-text.ts";

interface SqlFlags {
  readonly format: string;
  /** The snapshot; blank for the current one. */
  readonly asOf: string;
}

/**
 * Prints the rows of a read-only statement; without a statement, those of the statements on standard input, up to the
 * first that fails; and on a terminal, it prompts for statements.
 * @throws UsageError also for faults of a statement
 */
export async function printSql(
  { artifactsDir }: PipelineConfig,
  env: Environment,
  statement: string,
  { format, asOf }: SqlFlags,
): Promise<void> {
  const sqlFormat = readFormat(format);
  const hasPrompt = statement.trim() === "" && process.stdin.isTTY;
  const statements = hasPrompt ? [] : await readStatements(statement);
  const tempFolder = await mkdtemp(join(tmpdir(), "academic-data-sql-"));
  try {
    const published =
      asOf.trim() === "" ? await readPublished(artifactsDir) : await readAsOf(artifactsDir, asOf.trim(), new Date());
    const shell = await openSqlShell(tableFiles(published), { tempFolder });
    const print = createPrinter();
    const run = (sql: string, as: SqlFormat) =>
      print(shell.run(sql, { format: as, screen: process.stdout.columns || undefined }));
    try {
      for (const sql of statements) await run(sql, sqlFormat);
      if (hasPrompt) await (await import("./sql-prompt.ts")).promptSql(shell, run, sqlFormat, env);
    } finally {
      shell.close();
    }
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
}

async function readStatements(statement: string): Promise<string[]> {
  if (statement.trim() !== "") return [statement];
  const { statements, rest } = splitStatements(await text(process.stdin));
  const all = rest === "" ? statements : [...statements, rest];
  if (all.length === 0) throw new UsageError('a statement is needed: make sql Q="select count(*) from sections"');
  return all;
}

/** The reader may stop early, as `head` does: that is not a failure. */
function createPrinter(): (texts: AsyncIterable<string>) => Promise<void> {
  let isReadOn = true;
  process.stdout.on("error", () => (isReadOn = false));
  return async (texts) => {
    for await (const part of texts) {
      if (!isReadOn) break;
      if (!process.stdout.write(part)) await once(process.stdout, "drain").catch(() => undefined);
    }
  };
}
