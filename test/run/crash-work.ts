/** An hourly run that restores damaged files and imports a file of history, as work that a power loss may cut. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IRREPLACEABLE_TABLES } from "../../pipeline/contract/tables.ts";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import type { Database } from "../../pipeline/store/database.ts";
import { type Disk, nodeDisk } from "../../pipeline/disk/disk.ts";
import { inService, type Work } from "../pipeline/publish/crash-work.ts";
import { HARMS, HOUR_MS, rowsOf, TERMS } from "../support/published/damaged-base.ts";
import { OCTOBER, openSmallCampus } from "../support/upstream/small-campus.ts";
import { run } from "../support/whole-run.ts";

const IMPORT =
  "year,quarter,sectionCode,date,maxCapacity,totalEnrolled,waitlist,waitlistCap,requested,newOnlyReserved,status\n" +
  "2018,Fall,35730,2018-10-01,330,1,n/a,0,0,,OPEN\n";
const at = (hours: number) => () => new Date(OCTOBER.getTime() + hours * HOUR_MS);

export async function repairingWork({ connection }: Database, scratch: string): Promise<Work> {
  const before = join(scratch, "repairing");
  let clock = at(-24)();
  const campus = await openSmallCampus(TERMS, () => clock);
  const runIn = async (root: string, hours: number, disk: Disk) => {
    clock = at(hours)();
    const where = { DATA_DIR: join(root, "data"), ARTIFACTS_DIR: join(root, "artifacts"), ...campus.urls() };
    return run(where, "refresh", at(hours), { retries: 0 }, disk);
  };
  for (const hours of [-24, -12, 0]) await runIn(before, hours, nodeDisk);
  const base = (await readCurrent(join(before, "artifacts"))) as PublishedSnapshot;
  const recorded = rowsOf(base.manifest.files);
  mkdirSync(join(before, "data/enrollment"), { recursive: true });
  writeFileSync(join(before, "data/enrollment/old.csv"), IMPORT);
  // Recorded history has a copy in the backup; sections are crawled again.
  // The snapshot before has them too, and stays as it is.
  for (const table of ["enrollment_periods", "sections"]) {
    const file = base.manifest.files.find((file) => file.table === table);
    HARMS["flipped"]?.(join(base.folder, file?.path ?? ""));
  }
  rmSync(join(before, "artifacts/lock"), { recursive: true, force: true });
  return {
    name: "repairing and importing",
    before,
    act: async (root, disk) => void (await runIn(root, 2, disk)),
    async problems(root) {
      const artifacts = join(root, "artifacts");
      const faults: string[] = [];
      if (!(await readCurrent(artifacts))) faults.push("nothing is in service");
      const report = await runIn(root, 2, nodeDisk);
      if (report.failed) faults.push(`the next run failed: ${readFileSync(join(artifacts, "report.txt"), "utf8")}`);
      const { generation: published, problems } = await inService(connection, artifacts, { withEarlier: false });
      faults.push(...problems.map((problem) => `after the next run: ${problem}`));
      const rows = rowsOf(published?.manifest.files ?? []);
      for (const table of IRREPLACEABLE_TABLES)
        if ((rows[table] ?? 0) < (recorded[table] ?? 0)) faults.push(`the next run lost rows of ${table}`);
      if (!published?.manifest.files.some(({ partition }) => partition.year === "2018"))
        faults.push("nothing is imported");
      return faults;
    },
    close: () => campus.close(),
  };
}
