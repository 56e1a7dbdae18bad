/** `make sql`: the rows of one statement, printed as they come. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PipelineConfig } from "../../config.ts";
import { UsageError } from "../../errors.ts";
import { SQL_FORMATS } from "../../publish/sql/sql-output.ts";
import { runSql } from "../../publish/sql/sql-shell.ts";

interface SqlFlags {
  readonly format: string;
  /** Blank for the current snapshot. */
  readonly asOf: string;
}

/** Prints the rows of one read-only statement. @throws UsageError also for the statement's own faults */
export async function printSql(
  { artifactsDir }: PipelineConfig,
  statement: string,
  { format, asOf }: SqlFlags,
): Promise<void> {
  const known = SQL_FORMATS.find((name) => name === format.toLowerCase());
  if (!known) throw new UsageError(`FORMAT must be one of ${SQL_FORMATS.join(", ")}`);
  if (statement.trim() === "")
    throw new UsageError('a statement is needed: make sql Q="select count(*) from sections"');
  const tempFolder = await mkdtemp(join(tmpdir(), "academic-data-sql-"));
  const options = { tempFolder, ...(asOf.trim() === "" ? {} : { asOf: asOf.trim() }) };
  // Whoever reads may have seen enough, as `head` does: that is no failure.
  let isReadOn = true;
  process.stdout.on("error", () => (isReadOn = false));
  try {
    for await (const text of runSql(artifactsDir, statement, known, options)) {
      if (!isReadOn) break;
      if (!process.stdout.write(text)) await once(process.stdout, "drain").catch(() => undefined);
    }
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
}
