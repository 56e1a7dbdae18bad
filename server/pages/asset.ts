/** A file for browsers: with a strong tag, compressed once for each encoding and then remembered. */
import { createHash } from "node:crypto";
import { type H3Event, HTTPResponse } from "h3";
import type { Encoding } from "../cache.ts";
import { chooseEncoding, compress, LEAST_COMPRESSED } from "../compression.ts";
import { commonHeaders, encodingHeader, findKnown, isAnyKnown } from "../headers.ts";

export interface Asset {
  send(event: H3Event, requestId: string): Promise<HTTPResponse>;
}

/** Nothing comes from elsewhere, and nothing is run but our own files; DuckDB needs WebAssembly. */
const SECURITY = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
} as const;

const FOR_EVER = "public, max-age=31536000, immutable";

export interface AssetParts {
  readonly type: string;
  /** Its address names its version: its content never changes. */
  readonly immutable?: boolean;
  /** Reads the bytes; they are not kept, only what was compressed from them. */
  readonly read: () => Promise<Buffer> | Buffer;
  /** What decides the bytes, where that is known without reading them. */
  readonly tag?: string;
  /** Headers of its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

const digestOf = (content: Buffer | string): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22);

export function createAsset({ type, immutable = false, read, tag, headers = {} }: AssetParts): Asset {
  const finished = new Map<Encoding, Promise<{ bytes: Buffer; used: Encoding }>>();
  let digest: Promise<string> | undefined;

  async function finish(encoding: Encoding): Promise<{ bytes: Buffer; used: Encoding }> {
    const bytes = await read();
    const used = bytes.length < LEAST_COMPRESSED ? "identity" : encoding;
    return { bytes: await compress(bytes, used), used };
  }

  function take(encoding: Encoding): Promise<{ bytes: Buffer; used: Encoding }> {
    if (encoding === "identity") return finish(encoding);
    let made = finished.get(encoding);
    if (!made) {
      made = finish(encoding);
      finished.set(encoding, made);
      made.catch(() => finished.delete(encoding));
    }
    return made;
  }

  return {
    async send({ req }, requestId) {
      const encoding = chooseEncoding(req.headers.get("accept-encoding"));
      digest ??= Promise.resolve(tag ?? read()).then(digestOf);
      const ETag = `"${await digest}-${encoding}"`;
      const base = {
        ...commonHeaders(requestId),
        ...SECURITY,
        ...headers,
        "Content-Type": type,
        "Cache-Control": immutable ? FOR_EVER : "no-cache",
        ETag,
      };
      const ifNoneMatch = req.headers.get("if-none-match");
      if (isAnyKnown(ifNoneMatch) || findKnown(ifNoneMatch, [ETag]) !== undefined)
        return new HTTPResponse(null, { status: 304, headers: base });
      const { bytes, used } = await take(encoding);
      const all = { ...base, ...encodingHeader(used), "Content-Length": String(bytes.length) };
      const body = req.method === "HEAD" ? null : (bytes as unknown as ConstructorParameters<typeof HTTPResponse>[0]);
      return new HTTPResponse(body, { status: 200, headers: all });
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
};

/** By the end of a file's name; undefined for what browsers have no use for. */
export const typeOf = (path: string): string | undefined => TYPES[path.split(".").at(-1) ?? ""];
