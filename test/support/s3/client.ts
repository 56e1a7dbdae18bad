/** Signed requests to an S3 store, by code that shares nothing with the product's client. */
import type { StoreRequest } from "./exchange.ts";
import { type Credentials, signedHeaders } from "./signature.ts";

export interface S3Target {
  /** The endpoint: no bucket in it. */
  readonly url: string;
  readonly bucket: string;
  readonly credentials: Credentials;
}

/** A store that listens for as long as a test needs it. */
export interface RunningStore extends S3Target {
  /** The standard variables for a program that uses it. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export function storeEnv({ url, credentials }: S3Target): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = credentials;
  return {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken }),
  };
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Changes the signed request before it is sent. */
  readonly tamper?: (request: { headers: Record<string, string> }) => void;
}

/** An empty key is the bucket itself. */
export async function s3Request(
  { url, bucket, credentials }: S3Target,
  method: string,
  key: string,
  { headers = {}, query = {}, body, signal, tamper }: RequestOptions = {},
): Promise<Response> {
  const target = new URL(url);
  target.pathname = [bucket, ...(key === "" ? [] : key.split("/"))].map(encodeURIComponent).join("/");
  target.search = new URLSearchParams(query).toString();
  const request: StoreRequest = {
    method,
    path: target.pathname,
    search: target.search,
    headers: { ...headers, host: target.host },
    body: Buffer.from(body ?? ""),
  };
  const signed = signedHeaders(request, credentials, new Date());
  tamper?.({ headers: signed });
  return fetch(target, {
    method,
    headers: signed,
    signal: signal ?? null,
    ...(body === undefined ? {} : { body: request.body }),
  });
}

/** All keys below a prefix, page by page. */
export async function listKeys(target: S3Target, prefix: string, more: Readonly<Record<string, string>> = {}) {
  const keys: string[] = [];
  let pages = 0;
  let token: string | undefined;
  do {
    const query = {
      "list-type": "2",
      prefix,
      ...more,
      ...(token === undefined ? {} : { "continuation-token": token }),
    };
    const xml = await (await s3Request(target, "GET", "", { query })).text();
    keys.push(...[...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key));
    token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1];
    pages++;
  } while (token !== undefined);
  return { keys, pages };
}
