/** Publishes a test's rows with the functions of a run, so that a server reads them as usual. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Freshness, Partition } from "../../../pipeline/contract/documents/manifest.ts";
import type { ListedTerm } from "../../../pipeline/contract/rows/listing.ts";
import type { RowOf, Table } from "../../../pipeline/contract/table.ts";
import { TABLE_NAMES, TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import { termName, termOrdinal, type Term } from "../../../pipeline/contract/vocabulary.ts";
import { openDatabase } from "../../../pipeline/store/database.ts";
import { stageDerived } from "../../../pipeline/publish/derive.ts";
import { writeFreshness } from "../../../pipeline/store/freshness.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import type { Publication } from "../../../pipeline/store/published.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";

/** Rows of any of the tables; each table's rows are cut into its partitions. The ordinal of a term follows from it. */
export type PublishedRows = {
  readonly [N in Exclude<TableName, "terms">]?: readonly RowOf<(typeof TABLES)[N]>[];
} & { readonly terms?: readonly ListedTerm[] };

export interface PublishedOptions {
  /** When all of it was crawled. */
  readonly now?: Date;
  readonly source?: Readonly<Record<string, string>>;
  /** When the next run is planned; null = nobody knows. */
  readonly nextRefresh?: Date | null;
  /** Also publishes derived files, as a run does: those of views, and those of tables without rows. */
  readonly derive?: boolean;
}

/** Publishes a snapshot with these rows; all other partitions are carried over from the previous snapshot. */
export async function publishRows(
  artifacts: string,
  rows: PublishedRows,
  { now = new Date(), source = { schedule: "a test" }, nextRefresh = null, derive = false }: PublishedOptions = {},
): Promise<Publication> {
  const tempFolder = join(tmpdir(), `published-spill-${process.pid}`);
  const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder });
  const terms = rows.terms?.map((term) => ({ ...term, ordinal: termOrdinal(term) })) ?? [];
  const staging = createStaging(artifacts, await readBase(artifacts));
  try {
    for (const name of TABLE_NAMES) {
      const table: Table = TABLES[name];
      for (const { partition, members } of partitionsOf(table, name === "terms" ? terms : (rows[name] ?? []))) {
        const select = `SELECT * FROM ${await loadRows(database.connection, table, members)}`;
        staging.put(await writePartition(database.connection, staging, { table, partition, select }));
      }
    }
    if (derive)
      await stageDerived(database.connection, staging, (problem) => {
        throw new Error(problem);
      });
    const published = await staging.publish({ source, now });
    await writeFreshness(artifacts, toFreshness(rows.sections ?? [], now, nextRefresh));
    return published;
  } finally {
    await staging.discard();
    database.close();
  }
}

type Row = Record<string, unknown>;

function partitionsOf(table: Table, rows: readonly Row[]): { partition: Partition; members: Row[] }[] {
  const groups: { partition: Partition; members: Row[] }[] = [];
  for (const row of rows) {
    const partition = Object.fromEntries(table.partitionedBy.map((name) => [name, row[name]])) as Partition;
    const same = groups.find((group) => table.partitionedBy.every((name) => group.members[0]?.[name] === row[name]));
    if (same) same.members.push(row);
    else groups.push({ partition, members: [row] });
  }
  return groups;
}

function toFreshness(sections: readonly Term[], now: Date, nextRefresh: Date | null): Freshness {
  const at = now.toISOString();
  const products = { schedule: at, grades: at, catalogue: at, instructors: at, calendar: at, larc: at, history: at };
  return {
    products,
    terms: Object.fromEntries(sections.map((section) => [termName(section), at])),
    nextRefresh: nextRefresh?.toISOString() ?? null,
  };
}
