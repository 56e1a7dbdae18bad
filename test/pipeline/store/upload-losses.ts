/** A publisher to a bucket that ends after each of its writes, or gets no response to one of them: what is current is whole, and the next run goes on. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { readPipelineConfig } from "../../../pipeline/settings/pipeline.ts";
import { openStore } from "../../../pipeline/store/open-store.ts";
import { readPointer } from "../../../pipeline/store/pointer.ts";
import type { FaultHook } from "../../support/s3/faults.ts";
import { openS3Store } from "../../support/s3/store.ts";
import { storedChange, storeRun } from "../../support/store-runs.ts";
import { gradeRow } from "../../support/grade-row.ts";

export interface Tried {
  /** Writes of one run. */
  readonly writes: number;
  readonly states: number;
  readonly broken: readonly string[];
}

/** How a run fails at its write of that number: everything is lost from there on, or one response is. */
const FAILURES = {
  "ends before": (at: number) => writesFrom(at, Infinity, "lost-request"),
  "gets no response to": (at: number) => writesFrom(at, at + 1, "lost-response"),
} as const;

function writesFrom(from: number, to: number, kind: "lost-request" | "lost-response"): FaultHook {
  let write = -1;
  return ({ method }) => {
    if (method === "PUT" || method === "DELETE") write++;
    const isDead = kind === "lost-request" && write >= from;
    return isDead || (write >= from && write < to && method !== "GET") ? { kind } : undefined;
  };
}

/** @param most states at most, equally far apart */
export async function tryUploads(scratch: string, most: number): Promise<Tried> {
  const s3 = await openS3Store();
  const template = join(scratch, "machine");
  const envOf = (folder: string): Record<string, string> => ({
    ...s3.env,
    ARTIFACTS_DIR: join(folder, "artifacts"),
    DATA_DIR: join(folder, "data"),
    PUBLISH_TO: `s3://${s3.bucket}/lake`,
    SCHEDULE_URL: "http://127.0.0.1:9",
  });
  const step = (n: number) => ({ grade: gradeRow({ year: "2024", gradeACount: n }), change: storedChange(n) });
  const broken: string[] = [];
  try {
    for (const n of [1, 2]) await storeRun(envOf(template), step(n));
    const before = new Map(s3.objects());
    const copy = (): string => {
      s3.objects().clear();
      for (const [key, object] of before) s3.objects().set(key, object);
      const folder = mkdtempSync(join(scratch, "copy-"));
      cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
      return folder;
    };
    const old = (await readCurrent(join(template, "artifacts")))?.manifest.id;
    s3.requests.length = 0;
    await storeRun(envOf(copy()), step(3));
    const writes = s3.requests.filter(({ method }) => method === "PUT" || method === "DELETE");
    const all = Object.entries(FAILURES).flatMap(([what, hookOf]) => writes.map((_, at) => ({ at, hookOf, what })));
    const share = Math.min(1, most / all.length);
    const tried = all.filter((_, n) => Math.floor(n * share) !== Math.floor((n - 1) * share));
    for (const { at, hookOf, what } of tried) {
      const folder = copy();
      const env = envOf(folder);
      const { aws, publishTo } = readPipelineConfig(env);
      const store = openStore(publishTo as URL, { aws });
      const say = (problem: string) =>
        broken.push(
          `a run that ${what} write ${at} of ${writes.length} (${writes[at]?.method} ${writes[at]?.key}): ${problem}`,
        );
      const look = async (when: string): Promise<{ id: string; changes: number } | undefined> => {
        try {
          const pointer = await readPointer(store);
          if (typeof pointer !== "object") throw new Error("nothing is published");
          const { files, id } = pointer.snapshot;
          for (const { bytes, path } of files)
            if (s3.objects().get(`lake/${path}`)?.body.length !== bytes) say(`${when}, ${path} is not there`);
          const recorded = files.filter(({ table }) => table === "changes");
          return { id, changes: recorded.reduce((sum, { rows }) => sum + rows, 0) };
        } catch (error) {
          say(`${when}: ${String(error)}`);
          return undefined;
        }
      };
      s3.faults.push(hookOf(at));
      const done = await storeRun(env, step(3)).catch(() => undefined);
      s3.faults.length = 0;
      const left = await look("after it");
      const local = (await readCurrent(join(folder, "artifacts")))?.manifest.id;
      if (left && left.id !== old && left.id !== local && done !== undefined)
        say("success was reported, but another snapshot is current");
      if (left && left.changes < 2) say("recorded changes are lost");
      const next = await storeRun(env, step(4)).catch((error: unknown) => say(`the next run: ${String(error)}`));
      if (typeof next === "object" && next.store.problems.length > 0)
        say(`the next run: ${next.store.problems.join(", ")}`);
      const after = await look("after the next run");
      if (after && typeof next === "object" && after.id !== next.id) say("what the next run published is not current");
      if (after && after.changes < 3) say("the next run lost recorded changes");
      rmSync(folder, { recursive: true });
    }
    return { writes: writes.length, states: tried.length, broken };
  } finally {
    await s3.close();
  }
}
