/** Three replicas behind a balancer follow one origin: every answer is equal, and a swap reaches all of them within five seconds. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { findNginx, openBalancer, startReplica, stop } from "../support/balancer.ts";
import { serve, openFolder } from "../support/whole-run.ts";
import { gradeRow } from "../pipeline/publish/scratch.ts";
import { publishRows } from "../support/published/published.ts";
import { ask } from "../server/http/wire.ts";

const REPLICAS = 3;
const SWAPS = 10;
const QUESTIONS = [
  "/v1/rest/grades/raw",
  "/v1/rest/grades/aggregate?department=DANCE",
  "/v1/rest/grades/aggregateByOffering",
  "/v1/rest/grades/raw?format=csv",
  "/v1/rest/grades/aggregateByCourse?format=parquet",
  "/v1/data/manifest.json",
];

const nginx = findNginx();
if (!nginx) process.stdout.write("skipped: nginx is not installed\n");

const rows = (stamp: number) =>
  Array.from({ length: 3000 }, (_, n) =>
    gradeRow({ sectionCode: String(10_000 + n), department: n % 2 ? "DANCE" : "MUSIC", gradeACount: stamp }),
  );

test.skipIf(!nginx)("every answer equal, one swap reaching all within 5 seconds", async () => {
  const folders = await Promise.all(Array.from({ length: REPLICAS + 2 }, () => openFolder()));
  const [origin, balanced, ...own] = folders as [(typeof folders)[0], (typeof folders)[0], ...typeof folders];
  const { id: first } = await publishRows(origin.artifacts, { grades: rows(0) });
  const server = await serve(origin.env);
  const replicas = await Promise.all(
    own.map(({ artifacts }) => startReplica({ ARTIFACTS_DIR: artifacts, FOLLOW_URL: server.url })),
  );
  const balancer = await openBalancer(
    nginx ?? "",
    balanced.data,
    replicas.map(({ url }) => url),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  /** Snapshot and stamp of one answer through the balancer; the two must fit. */
  const stampOf = new Map([[first, 0]]);
  const seen = { answers: 0, failed: 0, mixed: 0, replicas: new Set<string>() };
  let over = false;
  async function reader(): Promise<void> {
    while (!over) {
      await new Promise<void>((resolve) => {
        const asked = request(`${balancer.url}/v1/rest/grades/aggregate?department=DANCE`, { agent }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            seen.answers++;
            seen.replicas.add(String(response.headers["x-replica"]));
            if (response.statusCode !== 200) seen.failed++;
            else {
              const { gradeDistribution } = JSON.parse(Buffer.concat(parts).toString()) as {
                gradeDistribution: { gradeACount: number };
              };
              const stamp = stampOf.get(String(response.headers["x-data-snapshot"]));
              if (gradeDistribution.gradeACount !== 1500 * (stamp ?? Number.NaN)) seen.mixed++;
            }
            resolve();
          });
        });
        asked.on("error", () => {
          seen.failed++;
          resolve();
        });
        asked.end();
      });
    }
  }

  try {
    const readers = Promise.all([reader(), reader(), reader(), reader()]);
    const reached: number[] = [];
    for (let swap = 1; swap <= SWAPS; swap++) {
      // Known before the first answer can show it: the id is that of the content.
      const scratch = await openFolder();
      stampOf.set((await publishRows(scratch.artifacts, { grades: rows(swap) })).id, swap);
      await scratch.remove();
      const { id } = await publishRows(origin.artifacts, { grades: rows(swap) });
      const flipped = performance.now();
      const waiting = new Set(replicas.map(({ url }) => url));
      while (waiting.size > 0 && performance.now() - flipped < 30_000) {
        for (const url of waiting)
          if ((await ask(`${url}/ready`)).json<{ snapshot: string }>().snapshot === id) waiting.delete(url);
        await sleep(20);
      }
      reached.push(Math.round(performance.now() - flipped));
      for (const question of QUESTIONS) {
        const kinds = async () => {
          const answers = await Promise.all([server, ...replicas].map(({ url }) => ask(`${url}${question}`)));
          return new Set(
            answers.map(({ status, headers, raw }) => `${status} ${headers.etag} ${raw.toString("base64")}`),
          ).size;
        };
        // The times of the crawls are written after the snapshot, and followed a second later.
        await expect.poll(async () => [question, await kinds()], { timeout: 5_000 }).toEqual([question, 1]);
      }
    }
    over = true;
    await readers;
    const { replicas: answered, ...counts } = seen;
    process.stdout.write(
      `${JSON.stringify({ ...counts, replicas: answered.size, swaps: SWAPS, mostMs: Math.max(...reached), reached })}\n`,
    );
    expect({ failed: seen.failed, mixed: seen.mixed, replicas: answered.size }).toEqual({
      failed: 0,
      mixed: 0,
      replicas: REPLICAS,
    });
    expect(Math.max(...reached)).toBeLessThan(5_000);
  } finally {
    over = true;
    agent.destroy();
    for (const running of [balancer, ...replicas]) await stop(running);
    await server.close();
    for (const folder of folders) await folder.remove();
  }
});
