/**
 * Every kind of place that can be followed, each with everything that an origin publishes, and the connection to it,
 * which injects faults.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { readPipelineConfig } from "../../../pipeline/settings/pipeline.ts";
import { BUCKET_OPTIONS, openBucket } from "../../../pipeline/store/bucket.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { drawnFaults } from "../../support/s3/faults.ts";
import { openS3Store } from "../../support/s3/store.ts";
import { openWay, type Way } from "./way.ts";

export interface Place {
  /** The variables with which a replica of it is started. */
  readonly env: Readonly<Record<string, string>>;
  /** Undefined where nothing is between. */
  readonly way: Way | undefined;
}

export const KINDS = ["a server", "a folder", "a static host", "a bucket"] as const;
export type Kind = (typeof KINDS)[number];

/** @param artifacts what the origin publishes @param origin the address of its server */
export async function openPlaces(artifacts: string, origin: string) {
  const lake = await mkdtemp(join(tmpdir(), "lake-"));
  // Listings have several pages, and publishers lose requests and responses; a follower that loses one waits for
  // seconds.
  const s3 = await openS3Store({ maxKeys: 3 });
  const faults = drawnFaults(7, 0.2);
  s3.faults.push((target) => (target.method === "GET" ? undefined : faults(target)));
  const files = await openStaticHost(lake);
  const ways = await Promise.all([origin, files.url, s3.url].map(openWay));
  const [server, host, bucket] = ways as [Way, Way, Way];
  const places: Record<Kind, Place> = {
    "a server": { env: { FOLLOW_URL: server.url }, way: server },
    "a folder": { env: { FOLLOW_URL: lake }, way: undefined },
    "a static host": { env: { FOLLOW_URL: host.url }, way: host },
    "a bucket": { env: { ...s3.env, AWS_ENDPOINT_URL: bucket.url, FOLLOW_URL: `s3://${s3.bucket}/lake` }, way: bucket },
  };
  return {
    places,
    /** Brings to all of them what the origin has in service. */
    async publish(): Promise<void> {
      const { aws } = readPipelineConfig(s3.env);
      const store = openBucket(s3.bucket, "lake", aws, { ...BUCKET_OPTIONS, backoffMs: 1 });
      await exportSnapshot(artifacts, openFolderStore(lake), { now: new Date() });
      await exportSnapshot(artifacts, store, { now: new Date() });
    },
    async close(): Promise<void> {
      for (const open of [...ways, files, s3]) await open.close();
      await rm(lake, { recursive: true });
    },
  };
}

/** Files by their paths; others are refused, as hosts do whose files nobody may list. */
async function openStaticHost(folder: string) {
  const server = createServer((request, response) => {
    readFile(join(folder, decodeURIComponent(request.url ?? ""))).then(
      (body) => response.writeHead(200).end(body),
      () => response.writeHead(403).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
