/**
 * `/health/ready` (also `/ready`) is 200 while data is served whose files are there, and the server is not shutting
 * down. `/health/live` (also `/health`) is 200 while the process responds.
 */
import { stat } from "node:fs/promises";
import type { RunReport } from "../../pipeline/contract/documents/run-report.ts";
import { JSON_TYPE } from "../response/headers.ts";
import type { Follower } from "../../pipeline/follow.ts";
import { type Page, type Pages, sendPage } from "../pages/page.ts";
import type { Store } from "../snapshot/store.ts";
import { dataAge } from "./data-age.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";

/** Looking takes a call of the file system for each file. */
const LOOK_MS = 1_000;
/** A restart reads it. */
const POINTER = "current.json";

export interface HealthParts {
  readonly artifactsDir: string;
  readonly store: Store;
  readonly lastRun: () => Promise<RunReport | undefined>;
  /** State of the replication; undefined when no server is followed. */
  readonly following: () => ReturnType<Follower["state"]> | undefined;
  /** Running requests finish; new ones should go to another server. */
  readonly isEnding: () => boolean;
}

export function createHealth({ artifactsDir, store, lastRun, following, isEnding }: HealthParts): Pages {
  const live: Page = ({ requestId }) => sendPage(requestId, 200, JSON_TYPE, '{"status":"ok"}');
  /** Tables of the snapshot in service, and the pointer that a restart would start from. */
  async function findMissing(): Promise<string[]> {
    const current = store.current();
    if (!current) return [];
    const tables = [...(await store.missingTables(current.published, LOOK_MS))].sort();
    const isNamed = await stat(layoutOf(artifactsDir).pointer).then(Boolean, () => false);
    return isNamed ? tables : [...tables, POINTER];
  }

  const ready: Page = async ({ requestId }) => {
    const { id, generation, refused, lastRefused } = store.state();
    const age = dataAge(store, new Date());
    const run = await lastRun();
    const followed = following();
    const missing = await findMissing();
    const isComplete = missing.every((name) => name === POINTER);
    const isHealthy = refused === undefined && missing.length === 0 && (followed?.problem ?? null) === null;
    const complete = isHealthy ? "ready" : "degraded";
    const served = id === undefined ? "no data" : isComplete ? complete : "files missing";
    const body = {
      status: isEnding() ? "ending" : served,
      snapshot: id ?? null,
      generation: generation ?? null,
      ageSeconds: age?.seconds ?? null,
      stale: age?.isStale ?? null,
      overdueSince: age?.overdueSince ?? null,
      missing,
      refused: refused ?? null,
      lastRefused: lastRefused ?? null,
      lastRun: run ? summary(run) : null,
      freshness: store.freshness(),
      ...(followed ? { following: followed } : {}),
    };
    const isReady = id !== undefined && isComplete && !isEnding();
    return sendPage(requestId, isReady ? 200 : 503, JSON_TYPE, JSON.stringify(body));
  };
  return { "/health": live, "/health/live": live, "/ready": ready, "/health/ready": ready };
}

function summary({ mode, startedAt, failed, products, history, backup }: RunReport): object {
  const historyFaults = [...(history?.problems ?? []), ...(backup?.problems ?? [])].slice(0, 1);
  const productFaults = products.flatMap(({ product, error, damaged }) =>
    [...(error === undefined ? [] : [error]), ...damaged].slice(0, 1).map((why) => ({ product, why })),
  );
  return {
    mode,
    startedAt,
    failed,
    faults: [...productFaults, ...historyFaults.map((why) => ({ product: "backup", why }))],
  };
}
