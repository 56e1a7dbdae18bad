import { join } from "node:path";
import { requestPolicyFor, type System } from "../config.ts";
import type { Freshness } from "../contract/documents/manifest.ts";
import type { RunContext } from "../products/context.ts";
import { type HashedClient, withHashes } from "../sources/client/hashed-client.ts";
import { createClient } from "../sources/client/http.ts";
import type { OpenRun, RunOptions } from "./open-run.ts";

export function createRunContext(
  options: RunOptions,
  { base, database, source, staging }: OpenRun,
  { today, freshness }: { readonly today: string; readonly freshness: Freshness },
): RunContext {
  const { config, mode } = options;
  const clients = new Map<System, HashedClient>();
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
    calendar: [],
    crawled: [],
    received: [],
    afterPublish: [],
  };
}
