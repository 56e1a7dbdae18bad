/** Many clients ask in the same second for one large compressed answer that nobody asked for yet, as they do after every hourly swap. */
import { askFirst } from "./first-answers.ts";
import type { Asking, Load } from "./load.ts";
import type { MeasuredServer } from "./measured-server.ts";
import type { Words } from "./words.ts";
import type { Worker } from "./worker.ts";

export interface StormFigures {
  readonly what: string;
  /** One client, alone with an answer of the same size. */
  readonly aloneMs: number;
  /** The last of all clients. */
  readonly lastMs: number;
  /** Asked again by all of them, when it is finished. */
  readonly againPerSecond: number;
}

const CLIENTS = 64;
const GZIP = { "Accept-Encoding": "gzip" };

/** `alone` and `together` are answers of about the same size, neither of which was asked for in this encoding. */
async function measureStorm(
  server: MeasuredServer,
  asking: Worker,
  { what, alone, together, ms }: { what: string; alone: string; together: string; ms: number },
): Promise<StormFigures> {
  const { completeMs: aloneMs } = await askFirst(server, what, alone, "gzip");
  const ask = { base: server.base, connections: CLIENTS, headers: GZIP } as const;
  const paths = Array.from({ length: CLIENTS }, () => together);
  const storm = await asking.ask<Load>({ ...ask, paths, ms: 120_000, once: true } satisfies Asking);
  const again = await asking.ask<Load>({ ...ask, paths: [together], ms } satisfies Asking);
  if (storm.failures + again.failures > 0) throw new Error(`${what}: ${storm.failures + again.failures} failures`);
  return { what, aloneMs, lastMs: storm.seconds * 1000, againPerSecond: again.perSecond };
}

/** Large answers that nobody asked for in this encoding; the terms are loaded before. */
export async function measureStorms(
  server: MeasuredServer,
  asking: Worker,
  { main }: Words,
  ms: number,
): Promise<StormFigures[]> {
  const [, first = main[0], second = first] = main;
  const whole = (term: typeof first) =>
    `/v1/rest/schedule?year=${term?.year}&quarter=${term?.quarter}&cacheOnly=true&cancelledCourses=Include`;
  for (const term of [first, second]) await askFirst(server, "", whole(term));
  const storms = [
    { what: "a whole term", alone: whole(first), together: whole(second) },
    { what: "courses", alone: "/v1/rest/courses?minUnits=0", together: "/v1/rest/courses?maxUnits=99" },
    {
      what: "grades/raw",
      alone: "/v1/rest/grades/raw?excludePNP=false",
      together: "/v1/rest/grades/raw?excludePNP=false&offset=0",
    },
  ];
  const figures: StormFigures[] = [];
  for (const storm of storms) figures.push(await measureStorm(server, asking, { ...storm, ms }));
  return figures;
}
