/**
 * Two publishers race on a bucket with faults, and on a folder (test/support/store-race.ts). RACE_STORE=versitygw or
 * moto uses that real store instead of the tests' store.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installStores } from "../engines/stores.ts";
import { findNginx } from "../support/balancer.ts";
import type { RunningStore } from "../support/s3/client.ts";
import { drawnFaults } from "../support/s3/faults.ts";
import { openFaultProxy } from "../support/s3/fault-proxy.ts";
import { openS3Store } from "../support/s3/store.ts";
import { race } from "../support/store-race.ts";
import { openFolder } from "../support/whole-run.ts";

const { RACE_GENERATIONS = "500", RACE_STORE } = process.env;
const GENERATIONS = Number(RACE_GENERATIONS);
const say = (line: string) => void process.stdout.write(`${line}\n`);
const nginx = findNginx();
if (!nginx) say("skipped: nginx is not installed");

async function openStore(): Promise<RunningStore> {
  if (RACE_STORE === undefined) return openS3Store();
  const [store] = await installStores(say, [], (name) => name === RACE_STORE);
  if (!store) throw new Error(`${RACE_STORE} cannot be installed`);
  say(`${store.name} ${store.version}`);
  return store.start();
}

test.skipIf(!nginx).each(["a bucket", "a folder"])("%s", async (kind) => {
  const folder = await openFolder();
  const store = await openStore();
  const proxy = await openFaultProxy(store.url);
  proxy.faults.push(drawnFaults(1, 0.02));
  await mkdir(folder.data, { recursive: true });
  try {
    const result = await race({
      folder: folder.data,
      to: kind === "a bucket" ? `s3://${store.bucket}/lake` : join(folder.data, "lake"),
      env: store.env,
      publisherEnv: { ...store.env, AWS_ENDPOINT_URL: proxy.url },
      nginx: nginx ?? "",
      generations: GENERATIONS,
      killMs: 4_000,
      limitMs: 1_500_000,
    });
    const faults = proxy.requests.filter(({ fault }) => fault).length;
    say(`${kind}: ${JSON.stringify({ ...result, requests: proxy.requests.length, faults })}`);
    expect(result.problems).toEqual([]);
    expect(result.generations).toBeGreaterThanOrEqual(GENERATIONS);
  } finally {
    await proxy.close();
    await store.close();
    await folder.remove();
  }
});
