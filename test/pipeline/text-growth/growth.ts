/** Texts with repeated pieces, and how the time of a function grows with them. */
import * as fc from "fast-check";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { isWhole } from "../../support/extent.ts";
import type { TextReader } from "./reader.ts";

/** What any text may have too many of. */
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

export const [SIZE, DRAWS] = isWhole ? [300_000, 150] : [10_000, 4];

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
    ...[...pieces, ...samples].map((one) => repeated(one)),
    ...fc
      .sample(drawn, { numRuns: DRAWS, seed: [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) })
      .map(([one, [start, end], mark]) => repeated(one, start, mark + end)),
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

async function msOf(read: TextReader["read"], text: string): Promise<number> {
  const before = process.cpuUsage();
  await refusalOf(read, text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The median of several. */
async function medianOf(read: TextReader["read"], text: string, times = 5): Promise<number> {
  const ms: number[] = [];
  for (let i = 0; i < times; i++) ms.push(await msOf(read, text));
  return ms.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

/** Shorter times are noise. */
const TELLING_MS = 40;
export const MOST_GROWTH = 2.5;

/** The most that twice a text takes, from 300 characters on up to the whole. */
export async function growthOf(read: TextReader["read"], textOf: (size: number) => string): Promise<number> {
  let growth = 0;
  let half = 0;
  for (let size = SIZE / 1024; size <= SIZE && growth <= MOST_GROWTH; size *= 2) {
    let ms = await msOf(read, textOf(size));
    if (ms > TELLING_MS && ms > MOST_GROWTH * half) {
      half = await medianOf(read, textOf(size / 2));
      ms = await medianOf(read, textOf(size));
    }
    if (ms > TELLING_MS) growth = Math.max(growth, ms / Math.max(half, TELLING_MS / 4));
    half = ms;
  }
  return growth;
}
