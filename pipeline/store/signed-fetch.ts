/** Requests to an S3 service, signed with Signature Version 4. */
import { AwsV4Signer } from "aws4fetch";
import type { AwsSettings } from "../settings/aws.ts";
import type { Fetch } from "./http-reader.ts";

/** Requests that are not signed, to Amazon. */
export const UNSIGNED: AwsSettings = {
  endpoint: undefined,
  region: "us-east-1",
  credentials: undefined,
  pathStyle: undefined,
};

/** The address of a bucket, without a slash at its end. */
export function bucketUrl(bucket: string, { endpoint, pathStyle, region }: AwsSettings): string {
  const base = endpoint ?? new URL(`https://s3.${region}.amazonaws.com`);
  // A certificate for `*.host` does not cover a bucket with dots.
  const isPath = pathStyle ?? (endpoint !== undefined || bucket.includes("."));
  const path = base.pathname.replace(/\/+$/, "");
  return isPath ? `${base.origin}${path}/${bucket}` : `${base.protocol}//${bucket}.${base.host}${path}`;
}

/** A fetch whose requests are signed. The header `x-amz-content-sha256` must be given for a body. */
export function signedFetch({ credentials, region }: AwsSettings, fetch: Fetch): Fetch {
  if (!credentials) return fetch;
  return async (input, init = {}) => {
    const signer = new AwsV4Signer({
      ...credentials,
      method: init.method ?? "GET",
      url: String(input),
      headers: { "x-amz-content-sha256": EMPTY, ...(init.headers as Record<string, string>) },
      service: "s3",
      region,
    });
    const { url, headers } = await signer.sign();
    return fetch(url, { ...init, headers });
  };
}

/** The SHA-256 of nothing. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
