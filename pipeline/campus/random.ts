/**
 * Deterministic randomness: every random choice follows from a seed and a key, so that the same seed yields the same
 * bytes in every process, in whatever order pages are requested. Samplers map a number in [0, 1) to a value of a
 * measured distribution.
 */

/** A 32-bit hash of a text (FNV-1a with a final mix). */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return scramble(h);
}

/** The seed of the `key`-th thing derived from `seed`. */
export function mix(seed: number, key: number): number {
  return scramble(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(key + 0x165667b1, 0xc2b2ae35));
}

/** A number in [0, 1) for a property (`stream`) of the thing with that seed. */
export function draw(seed: number, stream: number): number {
  return mix(seed, stream) / 0x1_0000_0000;
}

/** A stream of numbers in [0, 1) (mulberry32). */
export function createStream(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

function scramble(value: number): number {
  let h = value | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Maps a number in [0, 1) to a value. */
export type Sampler<T> = (x: number) => T;

/** Samples each value in proportion to its weight. */
export function weighted<T>(table: readonly (readonly [value: T, weight: number])[]): Sampler<T> {
  const total = table.reduce((sum, [, weight]) => sum + weight, 0);
  let sum = 0;
  const bounds = table.map(([, weight]) => (sum += weight) / total);
  const last = table.length - 1;
  return (x) => {
    let i = 0;
    while (i < last && x >= (bounds[i] as number)) i++;
    return (table[i] as readonly [T, number])[0];
  };
}

/**
 * Interpolates linearly between measured percentiles: `[share, value]` pairs in rising order, from share 0 to share 1.
 */
export function percentiles(points: readonly (readonly [share: number, value: number])[]): Sampler<number> {
  return (x) => {
    let i = 1;
    while (i < points.length - 1 && x > (points[i] as readonly [number, number])[0]) i++;
    const [fromShare, from] = points[i - 1] as readonly [number, number];
    const [toShare, to] = points[i] as readonly [number, number];
    return from + ((to - from) * (x - fromShare)) / (toShare - fromShare || 1);
  };
}

/** Picks an element of a list that is not empty. */
export function pick<T>(list: readonly T[], x: number): T {
  return list[Math.floor(x * list.length)] as T;
}

/** Rounds `value` up or down, up with the probability of its fraction. */
export function roundBy(value: number, x: number): number {
  return Math.floor(value + x);
}
