/** Range requests (RFC 9110 §14). */
import { Problem } from "./problem.ts";

/** A byte range; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a Range header. A malformed header, another unit or several ranges mean the whole file, as RFC 9110 allows.
 */
export function readRange(header: string | null, size: number): ByteRange | "whole" | "unsatisfiable" {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "whole";
  if (from === "") {
    const count = Math.min(Number(to), size);
    return count === 0 ? "unsatisfiable" : { first: size - count, last: size - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return "whole";
  if (Number(from) >= size) return "unsatisfiable";
  return { first: Number(from), last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}

/** The headers of responses that support ranges, by status; used by responses and by the OpenAPI document. */
export const RANGE_HEADERS = {
  200: ["Accept-Ranges", "Content-Length"],
  206: ["Accept-Ranges", "Content-Length", "Content-Range"],
  416: ["Accept-Ranges", "Content-Range"],
} as const;

export const ACCEPT_RANGES = { "Accept-Ranges": "bytes" } as const;

/** Returns the message of a 416. @param size in bytes */
export const outOfRange = (size: number): string => `The file has ${size} bytes; the range contains none of them.`;

interface RequestedRange {
  readonly status: 200 | 206;
  readonly part: ByteRange;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the requested range of a body and its headers. If-Range guards against mixing two files. HEAD gets the same
 * headers as GET, as on common servers: this is how DuckDB in a browser detects range support.
 * @param tag the entity tag of the body
 * @param size in bytes
 * @throws Problem (416) when the range contains none of the bytes
 */
export function requestedRange(headers: Pick<Headers, "get">, tag: string | undefined, size: number): RequestedRange {
  const ifRange = headers.get("if-range");
  const range = ifRange === null || ifRange === tag ? readRange(headers.get("range"), size) : "whole";
  if (range === "unsatisfiable")
    throw new Problem(416, outOfRange(size), { ...ACCEPT_RANGES, "Content-Range": `bytes */${size}` });
  const part = range === "whole" ? { first: 0, last: size - 1 } : range;
  const length = { ...ACCEPT_RANGES, "Content-Length": String(part.last + 1 - part.first) };
  if (range === "whole") return { status: 200, part, headers: length };
  return { status: 206, part, headers: { ...length, "Content-Range": `bytes ${part.first}-${part.last}/${size}` } };
}
