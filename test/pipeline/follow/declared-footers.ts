/** The footers of Parquet files that an origin lists with their hashes: DuckDB reads them before anything else. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../../pipeline/contract/tables.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { expectTable } from "../../../pipeline/store/copy-to-artifacts.ts";
import { type PublishedSnapshot, readCurrent } from "../../../pipeline/store/published.ts";
import type { Database } from "../../../pipeline/store/database.ts";
import type { StoreReader } from "../../../pipeline/store/store.ts";
import type { Declared } from "../../support/outcomes.ts";
import { openPublisher } from "../publish/publisher.ts";

const PUBLISHED = ["terms", "grades", "sections", "enrollment_periods"] as const satisfies readonly TableName[];
/** The length of a footer, and the mark of the format. */
const END_BYTES = 8;

/** A file of each of some tables, and what is made of it when its origin says so many rows. */
export async function declareFooters(database: Database, folder: string): Promise<Declared[]> {
  const publisher = await openPublisher(folder, { database, rows: 3, tables: PUBLISHED });
  await publisher.publish(1);
  const { folder: from, manifest } = (await readCurrent(folder)) as PublishedSnapshot;
  return PUBLISHED.map((table) => {
    const file = manifest.files.find((file) => file.table === table) as PublishedFile;
    const bytes = readFileSync(join(from, file.path));
    const begin = bytes.length - END_BYTES - bytes.readUInt32LE(bytes.length - END_BYTES);
    const at = join(folder, `mutant-${table}.parquet`);
    return {
      name: "the footer of a Parquet file",
      structure: "bytes",
      fixtures: { [table]: bytes.subarray(begin) },
      refusals: [UpstreamBadResponse],
      async read(footer) {
        writeFileSync(at, Buffer.concat([bytes.subarray(0, begin), footer]));
        await expectTable(database.connection, { name: "the origin" } as StoreReader, file, at);
      },
    };
  });
}
