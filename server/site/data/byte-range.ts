/** The Range header (RFC 9110 §14): one byte range or suffix range. */

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
