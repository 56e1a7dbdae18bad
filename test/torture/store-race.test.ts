/** Two publishers race on a bucket with faults, and on a folder (test/support/store-race.ts). */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNginx } from "../support/balancer.ts";
import { drawnFaults } from "../support/s3/faults.ts";
import { openFaultProxy } from "../support/s3/fault-proxy.ts";
import { openS3Store } from "../support/s3/store.ts";
import { race } from "../support/store-race.ts";
import { openFolder } from "../support/whole-run.ts";

const GENERATIONS = Number(process.env["RACE_GENERATIONS"] ?? 500);
const nginx = findNginx();
if (!nginx) process.stdout.write("skipped: nginx is not installed\n");

test.skipIf(!nginx).each(["a bucket", "a folder"])("%s", async (kind) => {
  const folder = await openFolder();
  const s3 = await openS3Store();
  const proxy = await openFaultProxy(s3.url);
  proxy.faults.push(drawnFaults(1, 0.02));
  await mkdir(folder.data, { recursive: true });
  try {
    const result = await race({
      folder: folder.data,
      to: kind === "a bucket" ? `s3://${s3.bucket}/lake` : join(folder.data, "lake"),
      env: s3.env,
      publisherEnv: { ...s3.env, AWS_ENDPOINT_URL: proxy.url },
      nginx: nginx ?? "",
      generations: GENERATIONS,
      killMs: 4_000,
      limitMs: 1_500_000,
    });
    process.stdout.write(
      `${kind}: ${JSON.stringify({ ...result, faults: proxy.requests.filter(({ fault }) => fault).length })}\n`,
    );
    expect(result.problems).toEqual([]);
    expect(result.generations).toBeGreaterThanOrEqual(GENERATIONS);
  } finally {
    await proxy.close();
    await s3.close();
    await folder.remove();
  }
});
