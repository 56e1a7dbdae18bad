/** The part of a body that a request asks for (RFC 9110 §14). */
import { Problem } from "./problem.ts";

/** Inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A malformed header, another unit or several ranges mean the whole file, as RFC 9110 allows. */
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

/** What says that parts can be asked for. */
export const ACCEPT_RANGES = { "Accept-Ranges": "bytes" };

export interface AskedPart {
  readonly status: 200 | 206;
  readonly part: ByteRange;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The part of so many bytes with that entity tag, and the headers that go with it. If-Range guards against mixing two files.
 * @throws Problem (416) when the range has none of the bytes
 */
export function askedPart(headers: Pick<Headers, "get">, tag: string | undefined, size: number): AskedPart {
  const ifRange = headers.get("if-range");
  const range = ifRange !== null && ifRange !== tag ? "whole" : readRange(headers.get("range"), size);
  if (range === "unsatisfiable")
    throw new Problem(416, `The file has ${size} bytes; the range contains none of them.`, {
      ...ACCEPT_RANGES,
      "Content-Range": `bytes */${size}`,
    });
  const part = range === "whole" ? { first: 0, last: size - 1 } : range;
  const length = { "Content-Length": String(part.last + 1 - part.first) };
  if (range === "whole") return { status: 200, part, headers: length };
  return { status: 206, part, headers: { ...length, "Content-Range": `bytes ${part.first}-${part.last}/${size}` } };
}
