/**
 * Publishes stamped snapshots, one after another, as fast as they are made but never faster than one in `pause` milliseconds:
 * `swap-publisher.ts <artifacts> <publishes> <rows> <pause>`. Each publish is a line: stamp, snapshot id, and when the flip was done (milliseconds).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { collectArtifacts } from "../../../pipeline/store/collect-artifacts.ts";
import { openPublisher } from "../../pipeline/publish/publisher.ts";
import { SWAPPED_TABLES } from "../../support/stamps.ts";

const [artifacts = "", ...numbers] = process.argv.slice(2);
const [publishes = 1, rows = 100, pause = 0] = numbers.map(Number);
/** In earnest it is an hour; here it is long enough for the slowest reader of a snapshot that was just replaced. */
const KEEP_MS = 5_000;
/** Old snapshots are looked for after every so many publishes. */
const COLLECT_EVERY = 10;
/** Readers meet publications, not the writing of files: that is done for so many snapshots at a time. */
const WRITTEN_AHEAD = 50;

const publisher = await openPublisher(artifacts, { rows, tables: SWAPPED_TABLES, ahead: WRITTEN_AHEAD });
for (let i = 0; i < publishes; i++) {
  const next = Date.now() + pause;
  const { stamp, id } = await publisher.publish();
  process.stdout.write(`${stamp} ${id} ${Date.now()}\n`);
  if (i % COLLECT_EVERY === 0) await collectArtifacts(artifacts, { now: new Date(), keepMs: KEEP_MS });
  await sleep(Math.max(0, next - Date.now()));
}
publisher.close();
