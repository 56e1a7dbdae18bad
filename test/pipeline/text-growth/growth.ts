/** Texts with repeated pieces, and how the time of a function grows with them. */
import * as fc from "fast-check";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { isWhole } from "../../support/extent.ts";
import type { TextReader } from "./reader.ts";

/** Strings of which any text may have too many. */
const ANY = [
  " ",
  "\u00a0",
  "\n",
  ",",
  ";",
  "(",
  ")",
  "<",
  ">",
  "&",
  "amp;",
  '"',
  "“",
  ".",
  "-",
  "*",
  "0",
  "1",
  "a",
  "A",
  "é",
];
const TOKEN = /<[^<>]*>|&#?\w+;|\p{L}\p{M}*|\d|./gsu;
const WORD = /<[^<>]*>|[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

export const [SIZE, DRAWS] = isWhole ? [300_000, 30] : [2_000, 4];

/** Texts of a size: a start and an end of a sample, and pieces in turns between them. */
export function textsOf({ samples }: TextReader, name: string): ((size: number) => string)[] {
  const pieces = [...new Set([...samples.flatMap((sample) => sample.match(WORD) ?? []), ...ANY])];
  const cuts = samples.flatMap((sample) => {
    const places = Array.from(sample.matchAll(TOKEN), ({ index }) => index);
    return [...places, sample.length].map((place) => [sample.slice(0, place), sample.slice(place)] as const);
  });
  const repeated =
    (piece: string, start = "", end = "") =>
    (size: number) =>
      start + piece.repeat(Math.ceil(size / piece.length)) + end;
  const piece = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
  const drawn = fc.tuple(piece, fc.constantFrom(["", ""] as const, ...cuts), fc.constantFrom("", "\u0001", "x 1"));
  return [
    ...pieces.map((piece) => repeated(piece.length > 1 && /\w$/.test(piece) ? `${piece} ` : piece)),
    ...samples.map((sample) => repeated(sample)),
    ...fc
      .sample(drawn, { numRuns: DRAWS, seed: [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) })
      .map(([piece, [start, end], mark]) => repeated(piece, start, mark + end)),
  ];
}

export async function refusalOf(read: TextReader["read"], text: string): Promise<unknown> {
  try {
    await read(text);
  } catch (error) {
    if (!(error instanceof UpstreamBadResponse)) throw error;
  }
  return undefined;
}

/** The least processor time of several calls: whatever else runs only adds to it. */
async function leastMs({ read }: TextReader, text: string, calls: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < calls; i++) {
    const before = process.cpuUsage();
    await refusalOf(read, text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Shorter times are those of a collection of garbage, which a text twice as long may be the first to cause. */
const TELLING_MS = 150;
export const MOST_GROWTH = 2.5;

/** The most that the time grows by when a text gets twice as long, from its 1,024th part on up to the whole. */
export async function growthOf(reader: TextReader, textOf: (size: number) => string): Promise<number> {
  let growth = 0;
  let half = 0;
  for (let size = SIZE / 1024; size <= SIZE && growth <= MOST_GROWTH; size *= 2) {
    let ms = await leastMs(reader, textOf(size), 1);
    for (let calls = 4; calls <= 16 && ms > TELLING_MS && ms > MOST_GROWTH * half; calls *= 2) {
      half = await leastMs(reader, textOf(size / 2), calls);
      ms = Math.min(ms, await leastMs(reader, textOf(size), calls));
    }
    if (ms > TELLING_MS) growth = Math.max(growth, ms / half);
    half = ms;
  }
  return growth;
}
