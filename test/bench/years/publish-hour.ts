/**
 * A program that publishes an hour's changes of the latest past term, and prints the new snapshot's id and when it
 * became current.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Partition } from "../../../pipeline/contract/documents/manifest.ts";
import { TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { openDatabase } from "../../../pipeline/store/database.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";
import { filesText } from "../words.ts";
import { pastTerms } from "./write-years.ts";

const [artifacts = ""] = process.argv.slice(2);
const [term] = pastTerms(1);
const database = await openDatabase({
  memoryLimit: "1GB",
  threads: 2,
  tempFolder: join(tmpdir(), `bench-spill-${process.pid}`),
});
const staging = createStaging(artifacts, await readBase(artifacts));
async function rewrite(table: TableName, month: string | undefined, select: (rows: string) => string): Promise<void> {
  const partition = { ...term, ...(month === undefined ? {} : { month }) } as Partition;
  const rows = filesText(staging.paths(table, partition));
  staging.put(
    await writePartition(database.connection, staging, { table: TABLES[table], partition, select: select(rows) }),
  );
}
try {
  const [month] = staging
    .files()
    .filter(({ table, partition }) => table === "changes" && partition.year === term?.year)
    .filter(({ partition }) => partition.quarter === term?.quarter)
    .flatMap(({ partition }) => partition.month ?? [])
    .sort()
    .toReversed();
  const isLast = (rows: string) => `"at" = (SELECT max("at") FROM ${rows})`;
  await rewrite(
    "changes",
    month,
    (rows) => `FROM ${rows} UNION ALL
      SELECT * REPLACE ("at" + INTERVAL 1 MINUTE AS "at", left(md5("at"::VARCHAR), 16) AS snapshot) FROM ${rows} WHERE ${isLast(rows)}`,
  );
  await rewrite(
    "enrollment_periods",
    month,
    (rows) =>
      `SELECT * REPLACE (if(sectionCode < '20000', concat(requested, '0'), requested) AS requested) FROM ${rows}`,
  );
  await rewrite(
    "enrollment_history",
    undefined,
    (rows) => `SELECT * REPLACE (concat(finalExam, ' ') AS finalExam) FROM ${rows}`,
  );
  const { id } = await staging.publish({ source: staging.base?.manifest.source ?? {}, now: new Date() });
  process.stdout.write(`${JSON.stringify({ id, currentAt: Date.now() })}\n`);
} finally {
  await staging.discard();
  database.close();
}
