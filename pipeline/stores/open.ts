/** Opens the store of an address: `s3://bucket/prefix`, `https://host/path` or a folder. */
import { fileURLToPath } from "node:url";
import { UsageError } from "../errors.ts";
import { BUCKET_OPTIONS, openBucket } from "./bucket.ts";
import { openFolderStore } from "./folder.ts";
import { type Fetch, httpReader } from "./http-reader.ts";
import type { AwsSettings } from "../settings/aws.ts";
import { serverReader } from "./server-reader.ts";
import { UNSIGNED } from "./signed-fetch.ts";
import type { Store, StoreReader } from "./store.ts";

export interface ReaderOptions {
  /** How a bucket is reached. */
  readonly aws?: AwsSettings;
  readonly fetch?: Fetch;
  /** The timeout without any received data. */
  readonly idleMs?: number;
}

const IDLE_MS = 10_000;

/** Opens a place that can be followed: a server or a static host too. */
export function openSource(address: URL, options: ReaderOptions): StoreReader {
  // Whoever follows asks again by itself.
  if (!/^https?:$/.test(address.protocol)) return openStore(address, { ...options, retries: 0 });
  const { fetch = globalThis.fetch, idleMs = IDLE_MS } = options;
  const root = address.href.replace(/\/+$/, "");
  return serverReader(httpReader({ name: address.origin, urlOf: (key) => `${root}/${key}`, fetch, idleMs }));
}

/** @throws UsageError for an address that cannot be written to */
export function openStore(
  address: URL,
  { aws = UNSIGNED, fetch, retries }: Omit<ReaderOptions, "idleMs"> & { readonly retries?: number },
): Store {
  switch (address.protocol) {
    case "file:":
      return openFolderStore(fileURLToPath(address));
    case "s3:":
      return openBucket(address.hostname, address.pathname.replaceAll(/^\/+|\/+$/g, ""), aws, {
        ...BUCKET_OPTIONS,
        ...(fetch ? { fetch } : {}),
        ...(retries === undefined ? {} : { retries }),
      });
    default:
      throw new UsageError(`${address.origin} can be read only: a folder or s3://bucket/prefix is needed`);
  }
}
