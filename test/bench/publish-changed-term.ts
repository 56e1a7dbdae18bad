/**
 * A program that publishes a term in which every section's comment ends with another number, and prints the new
 * snapshot's id and when it became current. However often it runs, the data is as large as after the first time.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TABLES } from "../../pipeline/contract/tables.ts";
import { openDatabase } from "../../pipeline/store/database.ts";
import { readBase } from "../../pipeline/store/open.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import { createStaging } from "../../pipeline/publish/staging.ts";
import { filesText, readWords, tablePaths } from "./words.ts";

const [artifacts = ""] = process.argv.slice(2);
const words = await readWords(artifacts);
const [term] = words.main;
if (!term) throw new Error("no term is published");
const database = await openDatabase({
  memoryLimit: "1GB",
  threads: 2,
  tempFolder: join(tmpdir(), `bench-spill-${process.pid}`),
});
const base = await readBase(artifacts);
const staging = createStaging(artifacts, base);
const turn = ` #${String((base.published?.manifest.generation ?? 0) + 1).padStart(6, "0")}`;
try {
  const rows = filesText(tablePaths(words, "sections", term));
  const select = `SELECT * REPLACE (regexp_replace(sectionComment, ' #\\d{6}$', '') || $1 AS sectionComment) FROM ${rows}`;
  const partition = { year: term.year, quarter: term.quarter };
  staging.put(
    await writePartition(database.connection, staging, { table: TABLES.sections, partition, select, values: [turn] }),
  );
  const { id } = await staging.publish({ source: { schedule: "a benchmark" }, now: new Date() });
  process.stdout.write(`${JSON.stringify({ id, currentAt: Date.now() })}\n`);
} finally {
  await staging.discard();
  database.close();
}
