/** The same data with a part of its rows, published by the functions that a run uses; and one term changed, to be swapped in. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Partition } from "../../pipeline/contract/documents/manifest.ts";
import { TABLES, type TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { openDatabase } from "../../pipeline/publish/database.ts";
import { readBase } from "../../pipeline/generations/base.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import type { Publication } from "../../pipeline/publish/publication.ts";
import { createStaging } from "../../pipeline/publish/staging.ts";
import { filesText, tablePaths, type Words } from "./words.ts";

interface Written {
  readonly table: TableName;
  readonly partition: Partition;
  readonly select: string;
}

async function publish(artifacts: string, written: readonly Written[], now = new Date()): Promise<Publication> {
  const database = await openDatabase({
    memoryLimit: "1GB",
    threads: 2,
    tempFolder: join(tmpdir(), `bench-spill-${process.pid}`),
  });
  const staging = createStaging(artifacts, await readBase(artifacts));
  try {
    for (const { table, partition, select } of written)
      staging.put(
        await writePartition(database.connection, staging, {
          table: TABLES[table],
          partition,
          select,
          allowEmpty: true,
        }),
      );
    return await staging.publish({ source: { schedule: "a benchmark" }, now });
  } finally {
    await staging.discard();
    database.close();
  }
}

const THINNED: readonly TableName[] = ["sections", "headings", "grades", "departments", "terms", "calendar"];

/** Publishes `share` sixteenths of every department's sections of the latest main term and of all grades. */
export async function publishThinned(words: Words, artifacts: string, share: number): Promise<void> {
  const [latest] = words.main;
  const written = words.manifest.files
    .filter(({ table }) => THINNED.includes(table as TableName))
    .filter(
      ({ table, partition }) =>
        (table !== "sections" && table !== "headings") ||
        (partition.year === latest?.year && partition.quarter === latest?.quarter),
    )
    .map(({ table, partition, path }) => {
      const rows = filesText([join(words.folder, path)]);
      const isThinned = table === "sections" || table === "grades";
      return {
        table: table as TableName,
        partition,
        select: `SELECT * FROM ${rows}${isThinned ? ` WHERE hash(sectionCode) % 16 < ${share}` : ""}`,
      };
    });
  await publish(artifacts, written);
}

/** Publishes a term in which every section's comment is longer by `mark`; everything else is carried over. */
export async function publishChangedTerm(
  words: Words,
  artifacts: string,
  term: Term,
  mark: string,
): Promise<Publication> {
  const rows = filesText(tablePaths(words, "sections", term));
  const select = `SELECT * REPLACE (sectionComment || '${mark}' AS sectionComment) FROM ${rows}`;
  return publish(artifacts, [{ table: "sections", partition: { year: term.year, quarter: term.quarter }, select }]);
}
