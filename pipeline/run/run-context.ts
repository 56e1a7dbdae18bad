import { join } from "node:path";
import { requestPolicyFor, type System } from "../config.ts";
import type { Freshness } from "../contract/documents/manifest.ts";
import type { RunContext } from "../products/context.ts";
import { type HashedClient, withHashes } from "../sources/client/hashed-client.ts";
import { createClient } from "../sources/client/http.ts";

import type { Disk } from "../publish/disk.ts";
import { readEarlier } from "../generations/retained.ts";
import type { Generation } from "../generations/generation.ts";
import { changedSources, type Sources } from "./source-change.ts";
import type { OpenRun, RunOptions } from "./open-run.ts";

export function createRunContext(
  options: RunOptions,
  { base, database, source, staging }: OpenRun,
  { today, freshness }: { readonly today: string; readonly freshness: Freshness },
): RunContext {
  const { config, mode } = options;
  const clients = new Map<System, HashedClient>();
  let earlier: Promise<Generation[]> | undefined;
  let schools: ReturnType<RunContext["schoolPages"]> | undefined;
  return {
    ...options,
    // Without a base there is nothing to refresh.
    mode: base.generation ? mode : "build",
    today,
    addresses: source.addresses,
    sourceName: source.nameOf,
    client(system) {
      const client =
        clients.get(system) ??
        withHashes(createClient(system, requestPolicyFor(source.addresses[system] as URL, config)), options.now);
      clients.set(system, client);
      return client;
    },
    staging,
    database,
    landingFolder: join(config.dataDir, "landing"),
    freshness,
    isBehind: base.damage !== undefined,
    earlier: () => (earlier ??= readSameCampus(base.generation, source.names, staging.disk)),
    accepted: new Set(),
    schoolPages: (read) => (schools ??= read()),
    calendar: [],
    crawled: [],
    received: [],
    afterPublish: [],
  };
}

/** Data of another campus is not compared with. */
async function readSameCampus(base: Generation | undefined, sources: Sources, disk: Disk): Promise<Generation[]> {
  const found = base ? await readEarlier(base, disk) : [];
  return found.filter(({ manifest }) => changedSources(manifest.source, sources).length === 0);
}
