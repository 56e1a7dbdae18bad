/** Requests as they stand on the wire: nothing is decompressed, corrected or followed. */
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import * as zlib from "node:zlib";
import { expectDocumented } from "../../support/documented.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** The body without its content encoding. */
  readonly text: string;
  json<T>(): T;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The test has an endpoint of its own there, which the OpenAPI document does not know. */
  readonly undocumented?: boolean;
}

const zstdDecompress = (zlib as { zstdDecompressSync?: (input: Buffer) => Buffer }).zstdDecompressSync;
/** zstd came to Node with version 22.15. */
export const hasZstd = zstdDecompress !== undefined;

export function decode(raw: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "br") return zlib.brotliDecompressSync(raw);
  if (encoding === "gzip") return zlib.gunzipSync(raw);
  if (encoding === "zstd" && zstdDecompress) return zstdDecompress(raw);
  if (encoding !== undefined && encoding !== "identity") throw new Error(`an unknown encoding: ${encoding}`);
  return raw;
}

/** As it stands in the address: a parser would tidy `//` and `..`. */
const pathOf = (url: string): string => /^\w+:\/\/[^/?]+([^?]*)/.exec(url)?.[1] ?? "";

/** One request on a connection of its own. */
export function ask(
  url: string,
  { method = "GET", headers = {}, body, undocumented = false }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const raw = Buffer.concat(parts);
        const text = decode(raw, raw.length === 0 ? undefined : response.headers["content-encoding"]).toString();
        const [status, sent] = [response.statusCode ?? 0, Object.entries(response.headers)];
        try {
          const seen = sent.map(([name, value]) => [name, String(value)] as const);
          if (!undocumented)
            expectDocumented({
              method,
              path: pathOf(url),
              status,
              headers: seen,
              text,
            });
        } catch (error) {
          reject(error as Error);
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          raw,
          text,
          json: <T>() => JSON.parse(text) as T,
        });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Sends text as it is, in pieces where a list is given, and gives everything that comes back until the server closes. */
export function sendRaw(url: string, text: string | readonly string[], pauseMs = 0): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => void write());
    async function write() {
      for (const piece of [text].flat()) {
        socket.write(Buffer.from(piece, "latin1"));
        if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
      }
    }
    socket.on("data", (part) => parts.push(part));
    socket.on("close", () => resolve(Buffer.concat(parts).toString()));
    socket.on("error", reject);
  });
}

/** The pieces of one raw answer. */
export function parseRaw(text: string): { status: number; headers: Map<string, string>; body: string } {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = lines.map((one): [string, string] => {
    const [name = "", ...value] = one.split(": ");
    return [name.toLowerCase(), value.join(": ")];
  });
  return { status: Number(line.split(" ")[1]), headers: new Map(headers), body: rest.join("\r\n\r\n") };
}
