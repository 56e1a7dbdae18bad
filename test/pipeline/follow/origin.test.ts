/** An earlier snapshot is added while nothing is collected, and not at all once it has what was taken down. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import type { EarlierSnapshot } from "../../../pipeline/contract/documents/manifest.ts";
import { RETENTION } from "../../../pipeline/contract/retention.ts";
import { copySnapshot } from "../../../pipeline/store/copy-to-artifacts.ts";
import { openOriginSnapshots } from "../../../pipeline/store/earlier-snapshots.ts";
import { listPublished, readSnapshot } from "../../../pipeline/store/published.ts";
import { nameOf } from "../../../pipeline/store/layout.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { collectArtifacts } from "../../../pipeline/store/collect-artifacts.ts";
import { pointerText, readPointer, type StoredPointer } from "../../../pipeline/store/pointer.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import type { StoreReader } from "../../../pipeline/store/store.ts";
import { openPublisher } from "../publish/publisher.ts";
import { scratchDatabase, scratchFolder } from "../publish/scratch.ts";

const NOW = new Date("2024-10-02T12:00:00Z");
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const database = await scratchDatabase(1);
const scratch = scratchFolder();

const [artifacts, lake] = [join(scratch, "artifacts"), join(scratch, "lake")];
mkdirSync(artifacts);
const publisher = await openPublisher(artifacts, { database, rows: 3, tables: ["terms", "grades"], now: () => NOW });
for (const stamp of [1, 2]) {
  await publisher.publish(stamp);
  await exportSnapshot(artifacts, openFolderStore(lake), { now: at(stamp), retain: RETENTION });
}
const store = openFolderStore(lake);
const pointer = (await readPointer(store)) as StoredPointer;
const [earlier] = pointer.retained as [EarlierSnapshot];

let replica: string;
let places = 0;
beforeEach(async () => {
  replica = join(scratch, `replica-${places++}`);
  mkdirSync(replica);
  const signal = new AbortController().signal;
  const options = { artifacts: replica, from: store, signal, now: () => at(9), log: silentLog, retain: RETENTION };
  await copySnapshot(pointer, { ...options, isReplica: true });
});

/** The store, whose downloads wait until they may begin, and what was read and begun. */
function slowly() {
  let begin = (): void => undefined;
  const mayBegin = new Promise<void>((resolve) => (begin = resolve));
  const asked: string[] = [];
  const reader: StoreReader = {
    name: store.name,
    read(key, options) {
      asked.push(key);
      return store.read(key, options);
    },
    async download(key, ...rest) {
      asked.push(key);
      await mayBegin;
      return store.download(key, ...rest);
    },
  };
  return { origin: openOriginSnapshots(reader, replica, silentLog), asked, begin, mayBegin };
}

test("what it needs and no manifest names yet is not collected", async () => {
  const { asked, begin, origin } = slowly();
  const fetching = origin.fetch(earlier);
  await vi.waitFor(() => expect(asked.some((key) => key.endsWith(".parquet"))).toBe(true), { timeout: 10_000 });
  let isCollected = false;
  const collecting = origin
    .alone(() => collectArtifacts(replica, { now: at(9), retain: RETENTION }))
    .then(() => (isCollected = true));
  await sleep(50);
  expect(isCollected).toBe(false);
  begin();
  expect(await fetching).toBe(true);
  await collecting;
  expect((await readSnapshot(replica, nameOf(earlier))).manifest.id).toBe(earlier.id);
  await origin.close();
});

test("a take-down that arrives before it is added keeps it away", async () => {
  const { asked, begin, mayBegin, origin } = slowly();
  const copying = origin.alone(() => mayBegin);
  const fetching = origin.fetch(earlier);
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 10_000 });
  await sleep(50);
  const { etag: _etag, ...rest } = pointer;
  const snapshot = { ...pointer.snapshot, forgotten: "0123456789abcdef" };
  writeFileSync(join(replica, "current.json"), pointerText({ ...rest, snapshot }));
  begin();
  await copying;
  expect(await fetching).toBe(false);
  expect(await listPublished(replica)).toHaveLength(1);
  await origin.close();
});
