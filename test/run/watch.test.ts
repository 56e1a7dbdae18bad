/** The hourly loop: never two runs at once, an hour and a little apart, through failures, until it is told to end. */
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { LockedError } from "../../pipeline/errors.ts";
import { watch } from "../../pipeline/run/commands/watch.ts";
import { endOf, spawnModule } from "./run-process.ts";
import { readSmallWorld } from "../support/worlds/small-world.ts";
import { startUpstream } from "../support/upstream/upstream.ts";
import { openFolder } from "../support/whole-run.ts";

const config = readPipelineConfig({ LOG_LEVEL: "silent" });
const HOUR_MS = 3_600_000;

describe("watch", () => {
  it("waits an hour and up to two minutes between the begins of runs, and never runs two at once", async () => {
    const waits: number[] = [];
    let running = 0;
    let most = 0;
    const refresh = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return true;
    };
    await watch(config, refresh, async (ms) => {
      waits.push(ms);
      if (waits.length === 50) process.emit("SIGTERM");
    });
    expect(most).toBe(1);
    expect(waits).toHaveLength(50);
    expect(Math.min(...waits)).toBeGreaterThan(HOUR_MS - 60_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(HOUR_MS + 120_000);
    // Jitter: no two waits are alike.
    expect(new Set(waits.map((ms) => Math.round(ms / 100))).size).toBeGreaterThan(10);
  });

  it("waits no longer when the clock is set back by days during a run", async () => {
    const { now } = Date;
    const waits: number[] = [];
    try {
      const refresh = async () => {
        Date.now = () => now() - 5 * 24 * HOUR_MS;
        return true;
      };
      await watch(config, refresh, async (ms) => {
        waits.push(ms);
        process.emit("SIGTERM");
      });
    } finally {
      Date.now = now;
    }
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeLessThanOrEqual(HOUR_MS + 120_000);
  });

  it("goes on after a run that failed, that threw, or that found the lock taken", async () => {
    const ends = [
      () => Promise.resolve(false),
      () => Promise.reject(new Error("no space left")),
      () => Promise.reject(new LockedError("another run")),
      () => Promise.resolve(true),
    ];
    let runs = 0;
    const isDone = await watch(
      config,
      () => (ends[runs++] as () => Promise<boolean>)(),
      async () => {
        if (runs === ends.length) process.emit("SIGTERM");
      },
    );
    expect([isDone, runs]).toEqual([true, 4]);
  });

  it("ends at once while it waits, and leaves no listener behind", async () => {
    const listeners = process.listenerCount("SIGTERM");
    const ended = watch(config, () => Promise.resolve(true));
    setTimeout(() => process.emit("SIGTERM"), 20);
    expect(await ended).toBe(true);
    expect(process.listenerCount("SIGTERM")).toBe(listeners);
  });
});

describe("the watch command", () => {
  it("SIGTERM lets the run that is under way publish, then ends with status 0", async () => {
    const upstream = await startUpstream(readSmallWorld(), { latency: 20 });
    const folder = await openFolder();
    try {
      const child = spawnModule(["pipeline/main.ts", "watch"], { ...folder.env, ...upstream.urls });
      const [ended, reported] = [endOf(child), once(child.stdout as NodeJS.ReadableStream, "data")];
      while (upstream.requests.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill("SIGTERM");
      expect(String(await reported)).toContain("refresh of");
      expect(await ended).toMatchObject({ status: 0, errors: expect.stringContaining("published a snapshot") });
    } finally {
      await upstream.close();
      await folder.remove();
    }
  });
});
