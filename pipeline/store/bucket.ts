/**
 * A bucket of an S3 service. Publishers exclude each other by conditional writes: `If-None-Match: *` creates an object
 * once, `If-Match` replaces the one that was read. Nothing is renamed, and no reader lists.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { load } from "cheerio/slim";
import pLimit from "p-limit";
import {
  connectionError,
  UpstreamBadResponse,
  UpstreamError,
  UpstreamRefused,
  UpstreamTimeout,
  UpstreamUnreachable,
  UsageError,
} from "../errors.ts";
import { type Fetch, httpReader } from "./http-reader.ts";
import type { AwsSettings } from "../settings/aws.ts";
import { bucketUrl, signedFetch } from "./signed-fetch.ts";
import type { Content, Listed, Store } from "./store.ts";

export interface BucketOptions {
  readonly fetch: Fetch;
  /** The timeout of one request, and of a download without any received data. */
  readonly timeoutMs: number;
  /** Retries of a request that failed for a transient reason. */
  readonly retries: number;
  /** The delay before the first repetition; it doubles each time, with jitter. */
  readonly backoffMs: number;
}

export const BUCKET_OPTIONS: BucketOptions = { fetch: globalThis.fetch, timeoutMs: 30_000, retries: 6, backoffMs: 200 };
/** Uploads run in parallel up to this number. */
const UPLOADS = 8;
const MAX_BACKOFF_MS = 5_000;

/** A publication takes seconds; this covers one on a slow line, and clocks that differ. */
const GRACE_MS = 24 * 3_600_000;

/** The request may succeed when it is retried. After any other status it would fail again. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Concurrent creates and replaces that a probe tries. */
const RACES = 20;
/** A place is probed once a day. */
const PROBE_MS = 24 * 3_600_000;
/** Records when the bucket passed the probe, and through which address. */
const PROBED = "probed.json";

const NO_BUCKET = "NoSuchBucket";
/** Codes of a 409 that another request in progress causes; any other 409 stays. */
const CONFLICTS = new Set(["ConditionalRequestConflict", "OperationAborted", undefined]);
/** Failures of a request after which the store is asked whether its prefix is an object. */
const SUSPICIOUS = 3;

/** @param prefix `""`, or such as `lake/campus` */
export function openBucket(bucket: string, prefix: string, aws: AwsSettings, options: BucketOptions): Store {
  const name = `s3://${[bucket, prefix].filter((part) => part !== "").join("/")}`;
  const base = bucketUrl(bucket, aws);
  const root = prefix === "" ? "" : `${prefix}/`;
  const urlAt = (key: string): string => `${base}/${key.split("/").map(encodeSegment).join("/")}`;
  const urlOf = (key: string): string => urlAt(`${root}${key}`);
  const fetch = signedFetch(aws, options.fetch);
  const errorCode = async (response: Response) => codeIn(await response.text());
  const reader = httpReader({ name, urlOf, fetch, idleMs: options.timeoutMs, errorCode });

  async function pause(tries: number, signal?: AbortSignal | null): Promise<void> {
    const ms = Math.min(MAX_BACKOFF_MS, options.backoffMs * 2 ** tries) * (0.5 + Math.random() / 2);
    await sleep(ms, undefined, signal ? { signal } : {});
  }

  /** Retries work that is safe to repeat. */
  async function again<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await work();
      } catch (error) {
        const isPassing =
          error instanceof UpstreamTimeout ||
          (error instanceof UpstreamRefused && (error.status === undefined || PASSING.has(error.status)));
        if (!isPassing || error instanceof UpstreamUnreachable || signal?.aborted || tries >= options.retries)
          throw error;
        if (tries + 1 === SUSPICIOUS) await assertNoObjectAbove();
      }
      await pause(tries, signal);
    }
  }

  async function attempt(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    try {
      const response = await fetch(url, { ...init, signal: timeout });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      if (timeout.aborted) throw new UpstreamTimeout(name, "the request timed out");
      throw connectionError(name, new URL(url), cause);
    }
  }

  const refusal = (what: string, status: number, code: string | undefined): UpstreamRefused =>
    new UpstreamRefused(name, `${what} returned status ${status}${code === undefined ? "" : ` (${code})`}`, status);

  /** @throws UpstreamRefused for any other status */
  async function send(what: string, expected: readonly number[], url: string, init: RequestInit = {}): Promise<string> {
    const { status, text } = await attempt(url, init);
    if (expected.includes(status)) return text;
    throw refusal(what, status, codeIn(text));
  }

  /**
   * Stores that keep objects as files cannot have both `a` and `a/b`, and answer 409 or 500 for ever.
   * @throws UpstreamRefused when the prefix, or a beginning of it, is the key of an object
   */
  async function assertNoObjectAbove(): Promise<void> {
    const segments = prefix.split("/").filter((segment) => segment !== "");
    for (let length = 1; length <= segments.length; length++) {
      const key = segments.slice(0, length).join("/");
      // If the store does not answer this request either, nothing is known about the prefix.
      const answer = await attempt(urlAt(key), { method: "HEAD" }).catch(() => undefined);
      if (answer?.status === 200) throw new UpstreamRefused(name, `/${key} is an object: choose another prefix`, 409);
    }
  }

  const read: Store["read"] = (key, wanted) => again(() => reader.read(key, wanted), wanted?.signal);

  /**
   * Returns true when the stored object is the one that was sent, false when the condition does not hold. A request
   * without a response may have taken effect, so the stored object is compared before anything is decided.
   */
  async function put(key: string, content: Content, condition: Record<string, string>): Promise<boolean> {
    const body = typeof content === "string" ? Buffer.from(content) : await readFile(content.at);
    const headers = { ...condition, "x-amz-content-sha256": sha256Of(body), "content-type": typeOf(key) };
    let mayBeDone = false;
    let last: UpstreamError | undefined;
    for (let tries = 0; tries <= options.retries; tries++) {
      if (tries > 0) await pause(tries - 1);
      try {
        const { status, text } = await attempt(urlOf(key), { method: "PUT", headers, body });
        if (status === 200 || status === 201) return true;
        const code = codeIn(text);
        const isGone = status === 404 && "If-Match" in condition && code !== NO_BUCKET;
        if (status === 412 || isGone) return mayBeDone && (await holds(key, body));
        last = refusal(`writing /${key}`, status, code);
        if (!PASSING.has(status) && !(status === 409 && CONFLICTS.has(code))) throw last;
        if (tries + 1 === SUSPICIOUS) await assertNoObjectAbove();
        mayBeDone ||= status >= 500;
      } catch (error) {
        const isPassing = error instanceof UpstreamError && !(error instanceof UpstreamUnreachable);
        if (error === last || !isPassing || (error instanceof UpstreamRefused && error.status === 409)) throw error;
        mayBeDone = true;
        last = error;
      }
    }
    if (mayBeDone && (await holds(key, body))) return true;
    throw last as UpstreamError;
  }

  async function holds(key: string, body: Buffer): Promise<boolean> {
    const stored = await read(key);
    return typeof stored === "object" && stored.content.equals(body);
  }

  async function list(prefix: string): Promise<Listed[]> {
    const objects: Listed[] = [];
    for (let token: string | undefined; ;) {
      const query = new URLSearchParams({ "list-type": "2", prefix: `${root}${prefix}` });
      if (token !== undefined) query.set("continuation-token", token);
      const url = `${base}?${query.toString().replaceAll("+", "%20")}`;
      const page = load(await again(() => send("listing", [200], url)), { xml: true });
      const result = page("ListBucketResult");
      if (result.length === 0) throw new UpstreamBadResponse(name, "the listing is not readable");
      for (const element of result.children("Contents").toArray()) {
        const text = (tag: string): string => page(element).children(tag).text();
        objects.push({
          key: text("Key").slice(root.length),
          bytes: Number(text("Size")),
          modifiedMs: Date.parse(text("LastModified")),
        });
      }
      const next = result.children("NextContinuationToken").text();
      if (next === "" && result.children("IsTruncated").text() !== "true") return objects;
      if (next === "" || next === token) throw new UpstreamBadResponse(name, "the listing is cut off");
      token = next;
    }
  }

  const remove = async (key: string): Promise<void> =>
    void (await again(() => send(`removing /${key}`, [200, 204, 404], urlOf(key), { method: "DELETE" })));

  return {
    name,
    read,
    download: (key, bytes, path, signal) => again(() => reader.download(key, bytes, path, signal), signal),
    base: `${name}/`,
    list,
    remove,
    graceMs: GRACE_MS,
    create: (key, text) => put(key, text, { "If-None-Match": "*" }),
    async addFiles(files) {
      const limit = pLimit(UPLOADS);
      await Promise.all(files.map(({ key, at }) => limit(() => put(key, { at }, { "If-None-Match": "*" }))));
    },
    replace: (key, content, etag) => put(key, content, etag === null ? { "If-None-Match": "*" } : { "If-Match": etag }),
    exclusively: (work) => work(async () => undefined),
    async probe() {
      if (!aws.credentials) throw new UsageError(`${name}: writing needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
      if (await isProbed()) return;
      const key = `probe/${randomUUID()}`;
      const write = async (content: string, condition: Record<string, string>) => put(key, content, condition);
      try {
        if (!(await write("1", { "If-None-Match": "*" })))
          throw new UsageError(`${name}: a new object cannot be created`);
        if (await write("2", { "If-None-Match": "*" })) lacks("If-None-Match: * (an object is created once)");
        const first = await read(key);
        const etag = typeof first === "object" ? first.etag : null;
        if (etag === null || (first as { content: Buffer }).content.toString() !== "1")
          lacks("to read what was just written, with its ETag");
        if (await write("3", { "If-Match": '"0123456789abcdef0123456789abcdef"' }))
          lacks("If-Match (only the object that was read is replaced)");
        if (!(await write("4", { "If-Match": etag as string })))
          lacks("If-Match (the object that was read is replaced)");
        if ((await read(key, { etag: etag as string })) === "unchanged") lacks("another ETag for another content");
      } finally {
        await remove(key).catch(() => undefined);
      }
      for (let pair = 0; pair < RACES; pair++) await race(`probe/${randomUUID()}`);
      await put(PROBED, probedText(new Date()), {});
    },
  };

  /** True when this place passed the probe within a day, through this address. */
  async function isProbed(): Promise<boolean> {
    const marker = await read(PROBED);
    const [, time = ""] = typeof marker === "object" ? (/"at":"([^"]+)"/.exec(marker.content.toString()) ?? []) : [];
    const probedAt = new Date(time);
    const isRecent = Math.abs(Date.now() - probedAt.getTime()) < PROBE_MS;
    return isRecent && typeof marker === "object" && marker.content.toString() === probedText(probedAt);
  }

  function probedText(probedAt: Date): string {
    return `${JSON.stringify({ base, prefix, at: probedAt.toISOString() })}\n`;
  }

  /**
   * Some stores honour each condition of a single write and still let both of two concurrent writes win. Each write has
   * its own content: equal contents may have equal ETags.
   */
  async function race(key: string): Promise<void> {
    const bothWin = async (condition: Record<string, string>): Promise<boolean> =>
      (await Promise.all([randomUUID(), randomUUID()].map((text) => put(key, text, condition)))).every(Boolean);
    try {
      if (await bothWin({ "If-None-Match": "*" }))
        lacks("If-None-Match: * for concurrent writes (both of two writers created one object)");
      const created = await read(key);
      const etag = typeof created === "object" ? created.etag : null;
      if (etag === null) lacks("that one of two concurrent writes creates an object");
      else if (await bothWin({ "If-Match": etag }))
        lacks("If-Match for concurrent writes (both of two writers replaced one object)");
    } finally {
      await remove(key).catch(() => undefined);
    }
  }

  function lacks(guarantee: string): never {
    throw new UsageError(
      `${name} does not guarantee ${guarantee}: two publishers could overwrite each other. Nothing was published there`,
    );
  }
}

const sha256Of = (body: Buffer): string => createHash("sha256").update(body).digest("hex");

/** Extracts the store's error code, such as `SignatureDoesNotMatch`. */
const codeIn = (body: string): string | undefined => /<Code>([A-Za-z0-9.]{1,60})<\/Code>/.exec(body)?.[1];

/** encodeURIComponent leaves !'()* as they are, but signatures are computed over their encoded form. */
const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const typeOf = (key: string): string =>
  key.endsWith(".json")
    ? "application/json"
    : key.endsWith(".parquet")
      ? "application/vnd.apache.parquet"
      : "application/octet-stream";
