/** A migration as work that a power loss may cut. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { readPublishedVersions } from "../../../pipeline/store/versions.ts";
import type { Database } from "../../../pipeline/store/database.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { readHistory } from "../../support/published/recorded-history.ts";
import { inService, type Work } from "../publish/crash-work.ts";
import { migrate, publishOlder } from "./older-base.ts";

export async function migratingWork(database: Database, scratch: string): Promise<Work> {
  const before = join(scratch, "migrating");
  mkdirSync(join(before, "data"), { recursive: true });
  const recorded = await readHistory(database, await publishOlder(join(before, "artifacts"), database));
  const act = async (root: string, disk: Disk) => void (await migrate(join(root, "artifacts"), { disk }));
  return {
    name: "migrating",
    before,
    act,
    async problems(root) {
      const artifacts = join(root, "artifacts");
      const [current] = await readPublishedVersions(artifacts, nodeDisk);
      if (!current || !isDeepStrictEqual(await readHistory(database, current), recorded))
        return ["recorded days are lost"];
      await act(root, nodeDisk);
      const { generation: published, problems } = await inService(database.connection, artifacts);
      if (published?.manifest.contract !== CONTRACT_VERSION) problems.push("the next run did not migrate");
      else if (!isDeepStrictEqual(await readHistory(database, published), recorded))
        problems.push("the next run lost recorded days");
      return problems.map((problem) => `after the next run: ${problem}`);
    },
  };
}
