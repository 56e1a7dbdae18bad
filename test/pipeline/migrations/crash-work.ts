/** A migration as work that a power loss may cut. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { readPublishedVersions } from "../../../pipeline/generations/versions.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { migratePublished } from "../../../pipeline/migrations/migrate.ts";
import type { Database } from "../../../pipeline/publish/database.ts";
import { type Disk, nodeDisk } from "../../../pipeline/publish/disk.ts";
import { inService, type Work } from "../publish/crash-work.ts";
import { placeOldBase, readHistory } from "./old-base.ts";

/** The oldest contract: every step of a migration is taken. */
const VERSION = 1;

export async function migratingWork(database: Database, scratch: string): Promise<Work> {
  const before = join(scratch, "migrating");
  mkdirSync(join(before, "data"), { recursive: true });
  const old = await placeOldBase(join(before, "artifacts"), VERSION);
  const recorded = await readHistory(database, old.folder, VERSION);
  const act = async (root: string, disk: Disk) =>
    void (await migratePublished({
      artifactsDir: join(root, "artifacts"),
      dataDir: join(root, "data"),
      ...{ now: new Date("2026-11-20T18:00:00Z"), today: "2026-11-20", allowLoss: false, log: silentLog, disk },
      assertHeld: () => Promise.resolve(),
    }));
  return {
    name: "migrating",
    before,
    act,
    async problems(root) {
      const artifacts = join(root, "artifacts");
      const historyOf = ({ folder, manifest }: { folder: string; manifest: { contract: number } }) =>
        readHistory(database, folder, manifest.contract);
      const [current] = await readPublishedVersions(artifacts, nodeDisk);
      if (!current || !isDeepStrictEqual(await historyOf(current), recorded)) return ["recorded days are lost"];
      await act(root, nodeDisk);
      const { generation, problems } = await inService(database.connection, artifacts);
      if (generation?.manifest.contract !== CONTRACT_VERSION) problems.push("the next run did not migrate");
      else if (!isDeepStrictEqual(await historyOf(generation), recorded))
        problems.push("the next run lost recorded days");
      return problems.map((problem) => `after the next run: ${problem}`);
    },
  };
}
