/** Reads objects over HTTP: from a server, a static host or a bucket. */
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  connectionError,
  UpstreamBadResponse,
  UpstreamError,
  UpstreamRefused,
  UpstreamTimeout,
  UpstreamUnreachable,
} from "../errors.ts";
import type { StoreReader } from "./store.ts";

export type Fetch = typeof globalThis.fetch;

/** The limit of a document in bytes; data files are downloaded instead. */
const MAX_READ = 64_000_000;

export interface HttpReaderOptions {
  /** For messages. */
  readonly name: string;
  readonly urlOf: (key: string) => string;
  readonly fetch: Fetch;
  /** The timeout without any received data. */
  readonly idleMs: number;
  /** Returns the error code that a service puts in the body of a response; undefined where it has none. */
  readonly errorCode?: (response: Response) => Promise<string | undefined>;
}

/** The error code of a 404 that means a missing object and not a missing bucket. */
const NO_KEY = "NoSuchKey";

export function httpReader({ name, urlOf, fetch, idleMs, errorCode }: HttpReaderOptions): StoreReader {
  /** Aborts when nothing was received for `idleMs`; `received` restarts that timer. */
  async function request<T>(
    key: string,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
    use: (response: Response, received: () => void) => Promise<T>,
  ): Promise<T> {
    const idle = new AbortController();
    let timer = setTimeout(() => idle.abort(), idleMs);
    const received = () => {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(), idleMs);
    };
    try {
      const signals = AbortSignal.any([idle.signal, ...(signal ? [signal] : [])]);
      const response = await fetch(urlOf(key), { headers, signal: signals });
      received();
      return await use(response, received);
    } catch (cause) {
      if (cause instanceof UpstreamError) throw cause;
      if (idle.signal.aborted) throw new UpstreamTimeout(name, `${shown(key)} timed out`);
      const reason = connectionError(name, new URL(urlOf(key)), cause);
      if (reason instanceof UpstreamUnreachable) throw reason;
      throw new UpstreamRefused(name, `${shown(key)} could not be fetched: ${reason.message}`, undefined, undefined, {
        cause,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns the error code of a response that is not used further. */
  async function codeOf(response: Response): Promise<string | undefined> {
    if (errorCode) return errorCode(response);
    void response.body?.cancel().catch(() => undefined);
    return undefined;
  }

  async function expectStatus(response: Response, key: string, ...expected: number[]): Promise<void> {
    const { status } = response;
    if (!expected.includes(status)) throw refusal(key, status, await codeOf(response));
  }

  const refusal = (key: string, status: number, code: string | undefined): UpstreamRefused =>
    new UpstreamRefused(
      name,
      `${shown(key)} returned status ${status}${code === undefined ? "" : ` (${code})`}`,
      status,
    );

  /** Fails when a download is longer than announced, so that an endless one cannot fill memory or disk. */
  function limitBytes(key: string, bytes: number, received: () => void): Transform {
    let size = 0;
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received();
        size += chunk.length;
        if (size > bytes) done(new UpstreamBadResponse(name, `${shown(key)} is longer than expected`));
        else done(null, chunk);
      },
    });
  }

  return {
    name,
    read: (key, { etag = null, signal } = {}) =>
      request(key, etag === null ? {} : { "If-None-Match": etag }, signal, async (response, received) => {
        if (response.status === 304 && etag !== null) return "unchanged";
        if (response.status === 404) {
          const code = await codeOf(response);
          if (code === undefined || code === NO_KEY) return undefined;
          throw refusal(key, 404, code);
        }
        await expectStatus(response, key, 200);
        const parts: Uint8Array[] = [];
        let size = 0;
        for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
          received();
          size += part.length;
          if (size > MAX_READ) throw new UpstreamBadResponse(name, `${shown(key)} is too long`);
          parts.push(part);
        }
        return { content: Buffer.concat(parts), etag: response.headers.get("etag") };
      }),

    async download(key, bytes, path, signal) {
      const have = (await stat(path).catch(() => undefined))?.size ?? 0;
      if (have === bytes) return;
      // A key names its content, so the content cannot have changed since the interruption.
      const resumes = have > 0 && have < bytes;
      await request(key, resumes ? { Range: `bytes=${have}-` } : {}, signal, async (response, received) => {
        await expectStatus(response, key, 200, ...(resumes ? [206] : []));
        const offset = response.status === 206 ? have : 0;
        if (!response.body) throw new UpstreamBadResponse(name, `${shown(key)} is empty`);
        await pipeline(
          Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
          limitBytes(key, bytes - offset, received),
          createWriteStream(path, { flags: offset > 0 ? "a" : "w" }),
        );
      });
    },
  };
}

const shown = (key: string): string => `/${key}`;
