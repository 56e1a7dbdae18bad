/** Opens the store of an address: `s3://bucket/prefix` or a folder; to read from, also a server or a static host. */
import { fileURLToPath } from "node:url";
import { UsageError } from "../errors.ts";
import { BUCKET_OPTIONS, openBucket } from "./bucket.ts";
import { openFolderStore } from "./folder.ts";
import { type Fetch, httpReader } from "./http-reader.ts";
import type { AwsSettings } from "../settings/aws.ts";
import { serverReader } from "./server-reader.ts";
import { UNSIGNED } from "./signed-fetch.ts";
import type { Store, StoreReader } from "./store.ts";

export interface StoreOptions {
  /** Endpoint and credentials of a bucket. */
  readonly aws?: AwsSettings;
  readonly fetch?: Fetch;
  /** The number of retries of a request. */
  readonly retries?: number;
}

/** @throws UsageError for an address that cannot be written to */
export function openStore(address: URL, { aws = UNSIGNED, fetch, retries }: StoreOptions): Store {
  switch (address.protocol) {
    case "file:":
      return openFolderStore(fileURLToPath(address));
    case "s3:":
      return openBucket(address.hostname, decodeURIComponent(address.pathname).replaceAll(/^\/+|\/+$/g, ""), aws, {
        ...BUCKET_OPTIONS,
        ...(fetch ? { fetch } : {}),
        ...(retries === undefined ? {} : { retries }),
      });
    default:
      throw new UsageError(`${address.origin} can be read only: a folder or s3://bucket/prefix is needed`);
  }
}

export interface ReaderOptions extends Omit<StoreOptions, "retries"> {
  /** The timeout without any received data. */
  readonly idleMs?: number;
}

const IDLE_MS = 10_000;

/** Opens a place that can be followed. */
export function openReader(address: URL, options: ReaderOptions): StoreReader {
  // A follower does its own retries.
  if (!/^https?:$/.test(address.protocol)) return openStore(address, { ...options, retries: 0 });
  const { fetch = globalThis.fetch, idleMs = IDLE_MS } = options;
  const root = address.href.replace(/\/+$/, "");
  return serverReader(httpReader({ name: address.origin, urlOf: (key) => `${root}/${key}`, fetch, idleMs }));
}
