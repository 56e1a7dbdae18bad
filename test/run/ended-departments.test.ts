/** The form marks departments as ended, and a stated end can be wrong: every build and one run a week request them. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunMode } from "../../pipeline/products/context.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { formTerm } from "../support/upstream/hourly-campus.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";
import { FALL, later, NEXT_FALL, readSmallWorld, SUMMER, WINTER } from "../support/worlds/small-world.ts";
import { isOf, type World } from "../support/worlds/world.ts";

const ENDED = "DANCE";

/** The department ended in 2018; it is taught in `terms` all the same. */
function worldWith(...terms: Term[]): World {
  const world = readSmallWorld();
  return {
    ...world,
    terms: world.terms.filter((term) => !isOf(SUMMER)(term)),
    departments: world.departments.map((row) => (row.code === ENDED ? { ...row, until: "2018 Spg" } : row)),
    sections: world.sections.filter((row) => row.deptCode !== ENDED || terms.some((term) => isOf(term)(row))),
    grades: [],
  };
}

let upstream: Upstream;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  upstream = await startUpstream(worldWith());
});
beforeEach(async () => {
  folder = await openFolder();
});
afterEach(() => folder.remove());
afterAll(() => upstream?.close());

/** The terms in which a run requested the department, and the notes about it. */
async function runAt(mode: RunMode, when: Parameters<typeof later>[0]) {
  upstream.reset();
  const env = { ...folder.env, SCHEDULE_URL: upstream.urls.SCHEDULE_URL, CALENDAR_URL: upstream.urls.CALENDAR_URL };
  const { failed, products } = await run(env, mode, later(when));
  expect(failed).toBe(false);
  const asked = upstream.requests.flatMap(({ params }) =>
    params["Dept"] === ENDED && params["Submit"] === "Display XML Results" ? (params["YearTerm"] ?? []) : [],
  );
  const noted = products
    .flatMap((product) => product.noted)
    .find(({ reason }) => reason === "a department is taught after its stated end")?.names;
  return { asked: [...new Set(asked)].sort(), noted };
}

async function sectionsIn({ year, quarter }: Term): Promise<number> {
  const server = await serve(folder.env);
  const { schools } = await server.json<{ schools: { departments: { courses: unknown[] }[] }[] }>(
    `/schedule?year=${year}&quarter=${quarter}&department=${ENDED}&cacheOnly=true`,
  );
  await server.close();
  return schools.flatMap(({ departments }) => departments.flatMap(({ courses }) => courses)).length;
}

test("a build requests them in terms that are not over; what it finds is published and noted, and requested every hour", async () => {
  upstream.setWorld(worldWith(WINTER, FALL));
  const built = await runAt("build", {});
  expect(built).toEqual({
    asked: [formTerm(FALL), formTerm(NEXT_FALL)],
    noted: ["DANCE (until 2018 Spring): 2019 Fall"],
  });
  expect(await sectionsIn(FALL)).toBeGreaterThan(0);
  const refreshed = await runAt("refresh", { hours: 1 });
  expect(refreshed).toEqual({ asked: [formTerm(FALL)], noted: built.noted });
});

test("a refresh requests them once a week", async () => {
  upstream.setWorld(worldWith());
  expect(await runAt("build", {})).toEqual({ asked: [formTerm(FALL), formTerm(NEXT_FALL)], noted: undefined });
  upstream.setWorld(worldWith(FALL));
  expect(await runAt("refresh", { hours: 1 })).toEqual({ asked: [], noted: undefined });
  expect(await runAt("refresh", { days: 6, hours: 23 })).toEqual({ asked: [], noted: undefined });
  expect(await sectionsIn(FALL)).toBe(0);
  const noted = ["DANCE (until 2018 Spring): 2019 Fall"];
  expect(await runAt("refresh", { days: 7 })).toEqual({ asked: [formTerm(FALL), formTerm(NEXT_FALL)], noted });
  expect(await sectionsIn(FALL)).toBeGreaterThan(0);
  expect(await runAt("refresh", { days: 7, hours: 1 })).toEqual({ asked: [formTerm(FALL)], noted });
});
