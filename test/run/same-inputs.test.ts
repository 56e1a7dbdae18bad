/**
 * "The same inputs give the same id, byte for byte" (design): wherever, however fast and after whatever trouble they
 * were crawled.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { later } from "../support/worlds/small-world.ts";
import { isWhole } from "../support/extent.ts";
import { openHourlyCampus } from "../support/upstream/hourly-campus.ts";
import { openFolder, run } from "../support/whole-run.ts";

describe("the same inputs", () => {
  const campus = openHourlyCampus();
  let first: Awaited<ReturnType<typeof build>>;
  beforeEach(async () => void (first = { failed: false, ...(await published(campus.folder().artifacts)) }));

  async function published(artifacts: string) {
    const text = await readFile(join(artifacts, "current/manifest.json"), "utf8");
    const { files, id } = JSON.parse(text) as { id: string; files: { table: string }[] };
    return { files, id };
  }
  async function build(env: Record<string, string>, when = later({ hours: 5 })) {
    const folder = await openFolder();
    try {
      const { failed } = await run({ ...folder.env, ...campus.urls(), ...env }, "build", when);
      return { failed, ...(await published(folder.artifacts)) };
    } finally {
      await folder.remove();
    }
  }

  const data = (files: readonly { table: string }[]) => files.filter(({ table }) => table !== "sources");

  it.runIf(isWhole)("elsewhere, later, with one request after another; sources says when", async () => {
    const again = await build({ CRAWL_CONCURRENCY: "1" });
    expect({ ...again, files: data(again.files) }).toEqual({ ...first, files: data(first.files) });
  });

  it("elsewhere, later, with many requests at once and faults that pass: errors, cut bodies, redirects, empty answers, late ones", async () => {
    const upstream = campus.upstream();
    const every = (n: number) => ({ nth: { from: n, every: 20 } });
    upstream.setFaults([
      { match: every(1), times: 1, status: 503, retryAfter: 0 },
      { match: every(4), times: 1, drop: 0.5 },
      // A single redirect is enough: a client that is told to slow down does so for a while.
      { match: { system: "schedule", nth: 6 }, times: 1, redirect: true },
      { match: { system: "schedule", ...every(8) }, times: 1, empty: true },
      { match: every(10), times: 1, htmlError: true },
      { match: every(12), delay: 30 },
    ]);
    // Many requests at once, so that they wait for their repetitions together.
    const built = await build({ CRAWL_CONCURRENCY: "16" });
    expect(upstream.requests.filter(({ fault }) => fault !== null).length).toBeGreaterThan(20);
    expect({ ...built, files: data(built.files) }).toEqual({ ...first, files: data(first.files) });
  });
});
