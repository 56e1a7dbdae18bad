/** Opens the store of an address: `s3://bucket/prefix` or a folder. */
import { fileURLToPath } from "node:url";
import { UsageError } from "../errors.ts";
import { BUCKET_OPTIONS, openBucket } from "./bucket.ts";
import { openFolderStore } from "./folder.ts";
import type { Fetch } from "./http-reader.ts";
import type { AwsSettings } from "../settings/aws.ts";
import { UNSIGNED } from "./signed-fetch.ts";
import type { Store } from "./store.ts";

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
      return openBucket(address.hostname, address.pathname.replaceAll(/^\/+|\/+$/g, ""), aws, {
        ...BUCKET_OPTIONS,
        ...(fetch ? { fetch } : {}),
        ...(retries === undefined ? {} : { retries }),
      });
    default:
      throw new UsageError(`${address.origin} can be read only: a folder or s3://bucket/prefix is needed`);
  }
}
