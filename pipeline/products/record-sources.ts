/**
 * The exports and crawls behind the published data. A row is removed when the partition that was built from it is
 * replaced. **Output:** sources
 */
import { samePartition, type Partition } from "../contract/documents/manifest.ts";
import { type Source, sources } from "../contract/rows/source.ts";
import { tableRows } from "../contract/sql-text.ts";
import type { TableName } from "../contract/tables.ts";
import type { RunContext } from "./context.ts";
import { writeRows } from "./rows.ts";

/** Call it only in a run that publishes: new sources alone are no reason to publish. */
export async function recordSources(context: RunContext): Promise<void> {
  const { received, staging } = context;
  const previous = await readPublished(context);
  const isReplaced = (source: Source): boolean => {
    const partition = partitionOf(source);
    const now = staging.find(source.tableName as TableName, partition);
    const previousFile = staging.base?.manifest.files.find(
      (file) => file.table === source.tableName && samePartition(file.partition, partition),
    );
    return now?.sha256 !== previousFile?.sha256;
  };
  const published = (source: Source) => staging.find(source.tableName as TableName, partitionOf(source)) !== undefined;
  const fresh = received.filter(
    (source) => published(source) && (isReplaced(source) || !previous.some((row) => isSameData(row, source))),
  );
  const kept = previous.filter((source) => published(source) && !fresh.some((row) => isSameData(row, source)));
  if (fresh.length + kept.length === 0) return staging.remove("sources", {});
  staging.put(await writeRows(context, sources, byKey([...kept, ...fresh])));
}

/** True for deliveries of a system for the same partition, which replace each other. */
const isSameData = (a: Source, b: Source): boolean =>
  a.system === b.system && a.tableName === b.tableName && a.year === b.year && a.quarter === b.quarter;

/** The last delivery of each name. */
const byKey = (rows: readonly Source[]): Iterable<Source> =>
  new Map(rows.map((row) => [JSON.stringify(sources.key.map((column) => row[column as keyof Source])), row])).values();

const partitionOf = ({ year, quarter }: Source): Partition => ({
  ...(year === null ? {} : { year }),
  ...(quarter === null ? {} : { quarter }),
});

async function readPublished({ database, staging }: RunContext): Promise<Source[]> {
  const rows = tableRows(sources, staging.paths("sources"));
  const reader = await database.connection.runAndReadAll(
    `SELECT * REPLACE (epoch_ms(fetchedAt)::DOUBLE AS fetchedAt) FROM ${rows}`,
  );
  return reader
    .getRowObjectsJS()
    .map((row) => ({ ...row, fetchedAt: new Date(Number(row["fetchedAt"])).toISOString() }) as Source);
}
