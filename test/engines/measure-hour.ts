/** Times the export of an hour in which three terms changed: `node --import tsx test/engines/measure-hour.ts <artifacts>`, which are left as they are. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TABLES } from "../../pipeline/contract/tables.ts";
import { exportSnapshot } from "../../pipeline/lake/export.ts";
import { openFolderStore } from "../../pipeline/stores/folder.ts";
import { openDatabase } from "../../pipeline/publish/database.ts";
import { readBase } from "../../pipeline/generations/base.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import { createStaging } from "../../pipeline/publish/staging.ts";
import { readParquet } from "../../pipeline/contract/sql-text.ts";

const CHANGED = ["sections", "enrollment_history", "enrollment_periods"] as const;
const TERMS = 3;

const [given = "artifacts"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "academic-hour-"));
const artifacts = join(folder, "artifacts");
const lake = join(folder, "lake");
const say = (line: string) => void process.stdout.write(`${line}\n`);
const timed = async (what: string): Promise<void> => {
  const started = performance.now();
  const { changed } = await exportSnapshot(artifacts, openFolderStore(lake), { now: new Date() });
  say(`${what}: ${((performance.now() - started) / 1000).toFixed(2)} s, ${changed.length} tables changed`);
};

try {
  await cp(given, artifacts, { recursive: true, verbatimSymlinks: true });
  await timed("the first export");
  for (const hour of [1, 2, 3]) {
    const database = await openDatabase({ memoryLimit: "1GB", threads: 2, tempFolder: join(folder, "spill") });
    const staging = createStaging(artifacts, await readBase(artifacts));
    for (const name of CHANGED) {
      const files = staging.files().filter(({ table }) => table === name);
      for (const { partition } of files.toSorted((a, b) => (a.path < b.path ? 1 : -1)).slice(0, TERMS)) {
        const paths = staging.paths(name, partition);
        const select = `SELECT * REPLACE (units || ' ' AS units) FROM ${readParquet(paths)}`;
        const counted = `SELECT * REPLACE (totalEnrolled || '0' AS "totalEnrolled") FROM ${readParquet(paths)}`;
        const request = { table: TABLES[name], partition, select: name === "enrollment_periods" ? counted : select };
        staging.put(await writePartition(database.connection, staging, request));
      }
    }
    await staging.publish({ source: { schedule: "measured" }, now: new Date() });
    await staging.discard();
    database.close();
    await timed(`hour ${hour}, ${TERMS} terms`);
  }
  await timed("the same snapshot again");
} finally {
  await rm(folder, { recursive: true, force: true });
}
