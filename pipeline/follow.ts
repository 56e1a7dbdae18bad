/**
 * Runs a replica: polls the pointer of another store (a server, a static host, a bucket or a folder) and copies each new
 * snapshot, whose objects are checked against hash, columns and row counts. After a failure the current snapshot stays
 * in service. Earlier snapshots are copied when they are asked for.
 */
import { LockedError, UpstreamError, UpstreamRefused } from "./errors.ts";
import { watchForgotten } from "./forget/tombstones.ts";
import { copySnapshot } from "./store/copy-to-artifacts.ts";
import { openReader, type ReaderOptions } from "./store/open-store.ts";
import { OtherContract } from "./store/manifest.ts";
import { openOriginSnapshots, type OriginSnapshots } from "./store/earlier-snapshots.ts";
import type { Log } from "./log.ts";
import { RETENTION, type Retention } from "./contract/retention.ts";
import { readPointer, type StoredPointer } from "./store/pointer.ts";

export interface FollowOptions extends ReaderOptions {
  /** The base address of a server or static host, `s3://bucket/prefix`, or a folder. */
  readonly url: URL;
  readonly artifactsDir: string;
  /** Time between two polls, in milliseconds; it grows after failures. */
  readonly everyMs: number;
  readonly log: Log;
  readonly now?: () => Date;
  /** The retention of snapshots; by default that of `RETAIN`. */
  readonly retain?: Retention;
  /** The folder of the list of take-downs, if this machine has one. */
  readonly dataDir?: string;
}

export interface Following {
  /** The time of the last successful poll, ISO 8601; served by the health report. */
  readonly lookedAt: string | null;
  /** The reason why the last poll failed; null when it succeeded. */
  readonly problem: string | null;
}

export interface Follower {
  state(): Following;
  /** Polls now, or joins a poll in flight; never rejects. */
  poll(): Promise<void>;
  /** The earlier snapshots of the origin. */
  readonly origin: OriginSnapshots;
  /** Aborts requests in flight. */
  close(): Promise<void>;
}

/** The longest pause after failures, unless `everyMs` is longer. */
const MAX_PAUSE_MS = 10_000;
/** The interval at which the origin's list of snapshots is read. */
const LIST_EVERY_MS = 10_000;

export function openFollower(options: FollowOptions): Follower {
  const { url, artifactsDir: artifacts, everyMs, log, now = () => new Date() } = options;
  const retain = options.retain ?? RETENTION;
  const reader = openReader(url, options);
  const readList = options.dataDir === undefined ? undefined : watchForgotten(options.dataDir);
  const origin = openOriginSnapshots(reader, artifacts, log);
  const ending = new AbortController();
  /** The pointer whose snapshot was copied last, and when the retained snapshots of the origin were listed. */
  let copied: { readonly pointer: StoredPointer; listedAt: number } | undefined;
  let state: Following = { lookedAt: null, problem: null };
  let failures = 0;
  let polling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function pollOnce(): Promise<void> {
    try {
      const pointer = await readPointer(reader, { etag: copied?.pointer.etag ?? null, signal: ending.signal });
      if (pointer === undefined) throw new UpstreamRefused(reader.name, "nothing is published there yet");
      if (pointer !== "unchanged") {
        origin.list(pointer.snapshot.id, pointer.retained);
        const { id, changed } = await copySnapshot(pointer, {
          artifacts,
          isReplica: true,
          alone: origin.alone,
          from: reader,
          signal: ending.signal,
          now,
          log,
          retain,
          mark: (await readList?.())?.mark,
        });
        copied = { pointer, listedAt: now().getTime() };
        if (changed) log.info("copied a snapshot", { id, from: reader.name });
      }
      // The origin removes expired snapshots only after it has published.
      if (copied && now().getTime() - copied.listedAt >= LIST_EVERY_MS) {
        const listed = await readPointer(reader, { signal: ending.signal });
        if (typeof listed === "object") origin.list(listed.snapshot.id, listed.retained);
        copied.listedAt = now().getTime();
      }
      if (state.problem !== null) log.info("following again", { from: reader.name });
      state = { lookedAt: now().toISOString(), problem: null };
      failures = 0;
    } catch (error) {
      if (ending.signal.aborted) return;
      failures++;
      const problem = toProblem(error);
      if (problem !== state.problem)
        log.warn("following failed, the current snapshot stays", {
          from: reader.name,
          problem,
          cause: describe(error),
        });
      state = { ...state, problem };
    }
  }

  function schedule(): void {
    if (ending.signal.aborted) return;
    const pause = Math.min(everyMs * 2 ** Math.min(failures, 10), Math.max(everyMs, MAX_PAUSE_MS));
    timer = setTimeout(() => void poll(), failures === 0 ? everyMs : pause);
    timer.unref();
  }

  function poll(): Promise<void> {
    clearTimeout(timer);
    polling ??= pollOnce().finally(() => {
      polling = undefined;
      schedule();
    });
    return polling;
  }

  schedule();
  return {
    state: () => state,
    poll,
    origin,
    async close() {
      ending.abort();
      clearTimeout(timer);
      await polling;
      await origin.close();
    },
  };
}

/** Describes an error for the public health report, without any paths. */
function toProblem(error: unknown): string {
  if (error instanceof LockedError) return "another run holds the lock";
  if (error instanceof UpstreamError || error instanceof OtherContract) return describe(error);
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `it cannot be published here${code}`;
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);
