/**
 * The exports and crawls behind the published data. A row goes when the partition that was made from it is replaced.
 * **Output:** sources
 */
import type { Partition } from "../contract/documents/manifest.ts";
import { type Source, sources } from "../contract/rows/source.ts";
import { tableRows } from "../contract/sql-text.ts";
import type { TableName } from "../contract/tables.ts";
import { samePartition } from "../store/layout.ts";
import type { RunContext } from "./context.ts";
import { writeRows } from "./rows.ts";

/** Call it only for a run that publishes: what was received alone is no reason to. */
export async function recordSources(context: RunContext): Promise<void> {
  const { received, staging } = context;
  const known = await readPublished(context);
  const isReplaced = (source: Source): boolean => {
    const partition = partitionOf(source);
    const now = staging.find(source.tableName as TableName, partition);
    const before = staging.base?.manifest.files.find(
      (file) => file.table === source.tableName && samePartition(file.partition, partition),
    );
    return now?.sha256 !== before?.sha256;
  };
  const published = (source: Source) => staging.find(source.tableName as TableName, partitionOf(source)) !== undefined;
  const fresh = received.filter(
    (source) => published(source) && (isReplaced(source) || !known.some((one) => isSameData(one, source))),
  );
  const kept = known.filter((source) => published(source) && !fresh.some((one) => isSameData(one, source)));
  if (fresh.length + kept.length === 0) return staging.remove("sources", {});
  staging.put(await writeRows(context, sources, byKey([...kept, ...fresh])));
}

/** What a system delivers for one partition is replaced as a whole. */
const isSameData = (a: Source, b: Source): boolean =>
  a.system === b.system && a.tableName === b.tableName && a.year === b.year && a.quarter === b.quarter;

/** Of two deliveries with one name the later one. */
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
