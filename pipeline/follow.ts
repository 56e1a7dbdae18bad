/** The server's doorway to following: it looks at another server's manifest again and again and copies what is new. */
import { LockedError, UpstreamError } from "./errors.ts";
import { copySnapshot } from "./following/copy.ts";
import { openOrigin } from "./following/origin.ts";
import type { Log } from "./log.ts";

export interface FollowOptions {
  /** Below it stands `/v1/data/manifest.json`. */
  readonly url: URL;
  readonly artifactsDir: string;
  /** Time between two looks, in milliseconds; after failures it grows. */
  readonly everyMs: number;
  readonly log: Log;
  /** The longest silence of the other side, in milliseconds. */
  readonly idleMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => Date;
}

export interface Following {
  /** When the other server was last understood, and why what it has is not here. */
  readonly lookedAt: string | null;
  readonly problem: string | null;
}

export interface Follower {
  state(): Following;
  /** Looks now, or joins a look that is under way; never fails. */
  look(): Promise<void>;
  /** Ends a look that is under way. */
  close(): Promise<void>;
}

const IDLE_MS = 10_000;
/** A server that is down is not asked every second. */
const LONGEST_PAUSE_MS = 10_000;

export function openFollower(options: FollowOptions): Follower {
  const { url, artifactsDir: artifacts, everyMs, log, idleMs = IDLE_MS, now = () => new Date() } = options;
  const origin = openOrigin(url, { fetch: options.fetch ?? globalThis.fetch, idleMs });
  const ending = new AbortController();
  /** Of the last manifest that was copied whole. */
  let tag: string | null = null;
  let state: Following = { lookedAt: null, problem: null };
  let failures = 0;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function lookOnce(): Promise<void> {
    try {
      const announced = await origin.look(tag, ending.signal);
      if (announced) {
        const { id, changed } = await copySnapshot(announced, { artifacts, origin, signal: ending.signal, now, log });
        tag = announced.tag;
        if (changed) log.info("copied a snapshot", { id, from: url.origin });
      }
      if (state.problem !== null) log.info("following again", { from: url.origin });
      state = { lookedAt: now().toISOString(), problem: null };
      failures = 0;
    } catch (error) {
      if (ending.signal.aborted) return;
      failures++;
      const problem = toProblem(error);
      if (problem !== state.problem)
        log.warn("following failed, what is served stays", { from: url.origin, problem, cause: describe(error) });
      state = { ...state, problem };
    }
  }

  function plan(): void {
    if (ending.signal.aborted) return;
    const pause = Math.min(everyMs * 2 ** Math.min(failures, 10), Math.max(everyMs, LONGEST_PAUSE_MS));
    timer = setTimeout(() => void look(), failures === 0 ? everyMs : pause);
    timer.unref();
  }

  function look(): Promise<void> {
    clearTimeout(timer);
    looking ??= lookOnce().finally(() => {
      looking = undefined;
      plan();
    });
    return looking;
  }

  plan();
  return {
    state: () => state,
    look,
    async close() {
      ending.abort();
      clearTimeout(timer);
      await looking;
    },
  };
}

/** For everybody to read: no paths of this machine. */
function toProblem(error: unknown): string {
  if (error instanceof LockedError) return "another run holds the lock";
  if (error instanceof UpstreamError) return describe(error);
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `it cannot be published here${code}`;
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);
