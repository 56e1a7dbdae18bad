/** Opens a place that can be followed: a server, a static host, a bucket or a folder. */
import { httpReader } from "./http-reader.ts";
import { openStore, type StoreOptions } from "./open-store.ts";
import type { StoreReader } from "./store.ts";
import { serverReader } from "./server-reader.ts";

export interface ReaderOptions extends Omit<StoreOptions, "retries"> {
  /** The timeout without any received data. */
  readonly idleMs?: number;
}

const IDLE_MS = 10_000;

export function openSource(address: URL, options: ReaderOptions): StoreReader {
  // Whoever follows asks again by itself.
  if (!/^https?:$/.test(address.protocol)) return openStore(address, { ...options, retries: 0 });
  const { fetch = globalThis.fetch, idleMs = IDLE_MS } = options;
  const root = address.href.replace(/\/+$/, "");
  return serverReader(httpReader({ name: address.origin, urlOf: (key) => `${root}/${key}`, fetch, idleMs }));
}
