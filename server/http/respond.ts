/** From a request to an endpoint's answer: read the query, compare tags, find the answer or make it once, send it. */
import type { H3Event } from "h3";
import { HTTPResponse } from "h3";
import { type BodyCache, type Encoding, type EncodedBody, MAX_ENTRY_BYTES } from "../response/body-cache.ts";
import { normalizedQuery } from "../response/normalized-query.ts";
import { enclose, envelope, GZIP_FIRST, toCachedEncoding, toPayload, envelopeStream } from "../response/compat/envelope.ts";
import { chooseEncoding, MIN_COMPRESSED_BYTES } from "../response/compression.ts";
import type { EndpointContext, Body, Endpoint, LiveSchedule, EndpointResult } from "../response/endpoint.ts";
import { hasFormats, settleFormat } from "../response/formats/format.ts";
import { reformat } from "../response/formats/reformat.ts";
import {
  commonHeaders,
  encodingHeader,
  entityTags,
  findMatchingTag,
  freshHeaders,
  matchesAnyTag,
  JSON_TYPE,
  toFresh,
} from "../response/headers.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { LargeResponses } from "./large-responses.ts";
import { contextOf } from "./request-context.ts";
import type { Pool } from "../duckdb/pool.ts";
import { linkHeader, settlePage, toResult } from "../response/paging.ts";
import { readId } from "../response/path-id.ts";
import { appliedPreference, isStrict } from "../response/prefer.ts";
import { Problem, toCause } from "../response/problem.ts";
import { readQuery } from "../response/query.ts";
import { encodeChunks, isBuffered, MAX_BUFFERED_BYTES, sizeOf, encodeBody, streamBody } from "../response/body-stream.ts";
import { createSharedEncodings } from "../response/shared-encoding.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Stay, Store } from "../snapshot/store.ts";
import { departmentWarnings } from "../endpoints/department-warnings.ts";
import { unknownProblems, unknownWarnings } from "../response/warnings.ts";

export interface Incoming {
  readonly event: H3Event;
  readonly requestId: string;
  readonly now: Date;
  readonly stay: Stay;
}

export interface Answering {
  answer(endpoint: Endpoint, snapshot: Snapshot, incoming: Incoming): Promise<HTTPResponse>;
}

type Headers = Record<string, string>;

export interface ResponderParts {
  readonly store: Store;
  readonly pool: Pool;
  readonly cache: BodyCache;
  /** Told of every answer that it may give itself when the same letters come again. */
  readonly known?: ResponseCache | undefined;
  readonly compat: boolean;
  readonly live: LiveSchedule;
  readonly large?: LargeResponses | undefined;
}

export function createResponder({ store, pool, cache, known, compat, live, large }: ResponderParts): Answering {
  const shared = createSharedEncodings();

  /** A small answer is finished and remembered; a large one comes back as it is, to be compressed while it is sent. */
  async function make(
    answer: () => Promise<EndpointResult>,
    key: string,
    encoding: Encoding,
    wraps: boolean,
  ): Promise<EncodedBody | EndpointResult> {
    const reply = await answer();
    // A payload is finished here or never: what is sent while it is made has its envelope in it.
    const largest = wraps ? MAX_ENTRY_BYTES : MAX_BUFFERED_BYTES;
    if (!isBuffered(reply.body) || sizeOf(reply.body) > largest) return reply;
    const finished = wraps
      ? toKept(await toPayload(reply.body, encoding), reply)
      : await encodeBody(reply.body, encoding, reply.headers ?? {}, reply.rows);
    if (!reply.noStore) cache.keep(key, finished);
    return finished;
  }

  function sendBytes(
    { bytes, encoding }: Pick<EncodedBody, "bytes" | "encoding">,
    headers: Headers,
    remember?: (headers: Headers) => void,
  ): HTTPResponse {
    const all = { ...headers, ...encodingHeader(encoding), "Content-Length": String(bytes.length) };
    remember?.(all);
    return new HTTPResponse(bytes as unknown as ConstructorParameters<typeof HTTPResponse>[0], {
      status: 200,
      headers: all,
    });
  }

  function sendStream(
    body: Body,
    encoding: Encoding,
    headers: Headers,
    { event, stay }: Incoming,
    keep?: (bytes: Buffer) => void,
    turns: { admit(): void; enter: (() => Promise<() => void>) | undefined } | undefined = large,
  ): HTTPResponse {
    const all = { ...headers, ...encodingHeader(encoding) };
    if (event.req.method === "HEAD") return new HTTPResponse(null, { status: 200, headers: all });
    turns?.admit();
    const { log } = contextOf(event);
    const broke = (error: unknown): void => {
      if (!event.req.signal.aborted) log.cause = toCause(error);
    };
    const stream = streamBody(body, encoding, { ended: stay(), broke, keep, enter: turns?.enter });
    return new HTTPResponse(stream, {
      status: 200,
      headers: all,
    });
  }

  /** A kept payload in an envelope of its own. Other encodings than gzip cannot be put together from parts. */
  async function sendEnclosed(
    payload: EncodedBody,
    accepted: Encoding,
    headers: Headers,
    tag: (encoding: Encoding) => string,
    incoming: Incoming,
    remember?: (headers: Headers) => void,
  ): Promise<HTTPResponse> {
    const pieces = enclose(payload, incoming);
    const size = sizeOf(pieces);
    const { encoding } = payload;
    if (encoding !== accepted && size >= MIN_COMPRESSED_BYTES) {
      const all = { ...headers, ETag: tag(accepted) };
      if (size > MAX_BUFFERED_BYTES) return sendStream(pieces, accepted, all, incoming);
      return sendBytes(await encodeBody(pieces, accepted, {}), all);
    }
    const all = { ...headers, ...encodingHeader(encoding), ETag: tag(encoding) };
    if (size <= MAX_BUFFERED_BYTES) return sendBytes({ bytes: Buffer.concat(pieces), encoding }, all, remember);
    remember?.({ ...all, "Content-Length": String(size) });
    return sendStream(pieces, "identity", all, incoming);
  }

  async function sendLive(
    answer: () => Promise<EndpointResult>,
    accepted: Encoding,
    base: Headers,
    incoming: Incoming,
    wraps: boolean,
  ) {
    const reply = await answer();
    const headers = { ...base, ...reply.headers, "Cache-Control": "no-store" };
    if (!isBuffered(reply.body) || sizeOf(reply.body) > MAX_BUFFERED_BYTES)
      return sendStream(wraps ? envelopeStream(reply.body, incoming) : reply.body, accepted, headers, incoming);
    return sendBytes(await encodeBody(wraps ? envelope(reply.body, incoming) : reply.body, accepted, {}), headers);
  }

  return {
    async answer(endpoint, snapshot, incoming) {
      const { event, requestId, now } = incoming;
      const { values: given, problems, refused, unknown } = readQuery(event.url.searchParams, endpoint.params);
      problems.push(...(endpoint.check?.(given, refused) ?? []));
      const strict = isStrict(event.req.headers.get("prefer"));
      if (problems.length > 0 || (strict && unknown.length > 0))
        throw new Problem(400, [...problems, ...unknownProblems(unknown, endpoint.params, strict)].join("; "));
      const { page, own } = settlePage(endpoint, given);
      const { format, own: values } = settleFormat(endpoint, own, event.req.headers.get("accept"));
      const wraps = compat && format === "json";

      const asked: EndpointContext = {
        snapshot: (wraps && snapshot.compat) || snapshot,
        compat: wraps,
        pool,
        freshness: store.freshness(),
        live,
        id: readId(event),
        now,
        // Made on demand: most answers have no use for it.
        get signal() {
          return event.req.signal;
        },
      };
      const warnings = [
        ...unknownWarnings(unknown, endpoint.params),
        ...(await departmentWarnings(endpoint, values, snapshot)),
      ];
      const base = {
        ...commonHeaders(requestId),
        "Content-Type": JSON_TYPE,
        "X-Data-Snapshot": snapshot.id,
        Vary: hasFormats(endpoint) ? "Accept-Encoding, Accept, Prefer" : "Accept-Encoding, Prefer",
        ...(warnings.length === 0 ? {} : { Warning: warnings.join(", ") }),
        ...appliedPreference(strict),
      };
      // Parquet is compressed inside.
      const accepted =
        format === "parquet"
          ? "identity"
          : chooseEncoding(event.req.headers.get("accept-encoding"), wraps ? GZIP_FIRST : undefined);
      const reply = async () =>
        reformat(await toResult(await endpoint.answer(values, asked), page), format, endpoint, values, event.req);
      const { log, cacheKey } = contextOf(event);
      if (endpoint.isLive?.(values, snapshot)) {
        log.cache = "live";
        return sendLive(reply, accepted, base, incoming, wraps);
      }

      const dependsOn = endpoint.dependsOn?.(values, asked) ?? "";
      const canonical = normalizedQuery(
        endpoint.path,
        asked.id,
        // A tag that was given without COMPAT=1 does not stand for a body with it.
        { ...values, ...page, ...(format === "json" ? {} : { format }), ...(wraps ? { compat } : {}) },
        dependsOn,
      );
      const tag = entityTags(snapshot.id, canonical, wraps);
      const fresh = toFresh(endpoint, values, asked);
      const headers = { ...base, ...freshHeaders(fresh, now) };
      // The envelope differs from answer to answer: what is remembered then is the payload.
      const kept: Encoding = wraps ? toCachedEncoding(accepted) : accepted;
      const key = `${snapshot.id} ${kept} ${canonical}`;
      const tags = [tag(accepted), tag("identity")];
      const remember = (answer?: Headers) => {
        if (cacheKey === undefined || !known) return;
        const { id: snapshotId } = snapshot;
        const question = { snapshotId, freshness: asked.freshness, fresh, key, tags, wraps, notChanged: headers };
        known.put(cacheKey, now, answer ? { ...question, ok: answer } : question);
      };
      const notChanged = (same: string) => {
        log.cache = "unchanged";
        return new HTTPResponse(null, { status: 304, headers: { ...headers, ETag: same } });
      };
      const ifNoneMatch = event.req.headers.get("if-none-match");
      const same = findMatchingTag(ifNoneMatch, tags);
      if (same !== undefined) {
        remember();
        return notChanged(same);
      }

      const makeIt = () => make(reply, key, kept, wraps);
      const isMadeAlone = endpoint.streams || format === "parquet";
      const remembered = cache.find(key);
      const made = remembered ?? (await (isMadeAlone ? makeIt() : cache.share(key, makeIt)));
      log.cache = remembered ? "hit" : "miss";
      log.rows = made.rows;
      const headersOf = (answer: EncodedBody | EndpointResult): Headers => ({
        ...headers,
        ...answer.headers,
        ...(page ? linkHeader(event.url, page, answer.headers) : {}),
      });
      if (!("bytes" in made)) {
        if (matchesAnyTag(ifNoneMatch)) return notChanged(tag(accepted));
        const keep = wraps ? undefined : (bytes: Buffer) => cache.keep(key, toKept({ bytes, encoding: kept }, made));
        const { body: whole } = made;
        if (keep && accepted !== "identity" && isBuffered(whole) && event.req.method !== "HEAD") {
          const chunks = shared.read(key, () => encodeChunks(whole, accepted, large?.enter), keep);
          const encoded = { ...headersOf(made), ...encodingHeader(accepted), ETag: tag(accepted) };
          // The encoder takes a turn; a reader that took one as well could keep the encoder waiting.
          return sendStream(chunks, "identity", encoded, incoming, undefined, NO_TURNS);
        }
        const body = wraps ? envelopeStream(made.body, incoming) : made.body;
        return sendStream(body, accepted, { ...headersOf(made), ETag: tag(accepted) }, incoming, keep);
      }
      if (matchesAnyTag(ifNoneMatch)) return notChanged(tag(made.encoding));
      // Most questions are never asked again: only those that are cost the memory of being known.
      const again = remembered ? remember : undefined;
      if (wraps) return sendEnclosed(made, accepted, headersOf(made), tag, incoming, again);
      return sendBytes(made, { ...headersOf(made), ETag: tag(made.encoding) }, again);
    },
  };
}

/** Readers of a shared encoding hold no compressor: any number of them may run. */
const NO_TURNS = { admit: () => undefined, enter: undefined };

const toKept = (
  { bytes, encoding }: Pick<EncodedBody, "bytes" | "encoding">,
  { headers = {}, rows }: EndpointResult,
): EncodedBody => (rows === undefined ? { bytes, encoding, headers } : { bytes, encoding, headers, rows });
