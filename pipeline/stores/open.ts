/** Opens the store of an address: `s3://bucket/prefix`, `https://host/path` or a folder. */
import { fileURLToPath } from "node:url";
import { BULK_MANIFEST } from "../contract/documents/bulk-manifest.ts";
import { UsageError } from "../errors.ts";
import { BUCKET_OPTIONS, openBucket } from "./bucket.ts";
import { openFolderStore } from "./folder.ts";
import { type Fetch, httpReader } from "./http-reader.ts";
import type { AwsSettings } from "../settings/aws.ts";
import { UNSIGNED } from "./signed-fetch.ts";
import { CURRENT, type EarlierPlaces, SERVED, type Store, STORED, type StoreReader } from "./store.ts";

/** What can be followed. */
export interface Source {
  readonly reader: StoreReader;
  /** The key of the bulk manifest. */
  readonly manifest: string;
  /** Where its earlier snapshots may be. */
  readonly earlier: readonly EarlierPlaces[];
}

export interface ReaderOptions {
  /** How a bucket is reached. */
  readonly aws?: AwsSettings;
  readonly fetch?: Fetch;
  /** The timeout without any received data. */
  readonly idleMs?: number;
}

const IDLE_MS = 10_000;

export function openSource(address: URL, options: ReaderOptions): Source {
  // Whoever follows asks again by itself.
  if (!/^https?:$/.test(address.protocol))
    return { reader: openStore(address, { ...options, retries: 0 }), manifest: CURRENT, earlier: [STORED] };
  const { fetch = globalThis.fetch, idleMs = IDLE_MS } = options;
  const root = address.href.replace(/\/+$/, "");
  const reader = httpReader({ name: address.origin, urlOf: (key) => `${root}/${key}`, fetch, idleMs });
  // A server, or a static host with what a store has.
  return { reader, manifest: BULK_MANIFEST.slice(1), earlier: [SERVED, STORED] };
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
