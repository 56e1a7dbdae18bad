/**
 * Many clients request one large compressed response at once that nobody requested before, as they do after every
 * hourly swap.
 */
import { putLoad } from "./load.ts";
import type { Words } from "./words.ts";

export interface Storm {
  readonly name: string;
  /** The time of a single client, alone, with a response of the same size. */
  readonly aloneMs: number;
  /** The last of all clients. */
  readonly lastMs: number;
}

const CLIENTS = 64;
const GZIP = { "Accept-Encoding": "gzip" };
const LONGEST_MS = 120_000;

/** `alone` and `together` have about the same size, and neither was requested in this encoding. */
async function measureStorm(base: string, name: string, alone: string, together: string): Promise<Storm> {
  const options = { base, ms: LONGEST_MS, once: true, headers: GZIP };
  const single = await putLoad({ ...options, paths: [alone], connections: 1 });
  const storm = await putLoad({
    ...options,
    paths: Array.from({ length: CLIENTS }, () => together),
    connections: CLIENTS,
  });
  if (single.failures + storm.failures > 0) throw new Error(`${name}: ${storm.failures} of ${CLIENTS} failed`);
  return { name, aloneMs: single.seconds * 1000, lastMs: storm.seconds * 1000 };
}

export async function measureStorms(base: string, { main }: Words): Promise<Storm[]> {
  const [, first = main[0], second = first] = main;
  const wholeTerm = (term: typeof first) =>
    `/v1/rest/schedule?year=${term?.year}&quarter=${term?.quarter}&cacheOnly=true&cancelledCourses=Include`;
  // The terms are loaded before.
  await putLoad({ base, paths: [wholeTerm(first), wholeTerm(second)], connections: 1, ms: LONGEST_MS, once: true });
  const raw = "/v1/rest/grades/raw?excludePNP=false";
  return [
    await measureStorm(base, "a whole term", wholeTerm(first), wholeTerm(second)),
    await measureStorm(base, "courses", "/v1/rest/courses?minUnits=0", "/v1/rest/courses?maxUnits=99"),
    await measureStorm(base, "grades/raw", raw, `${raw}&offset=0`),
  ];
}
