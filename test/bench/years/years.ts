/** The cost of an hour, a request and an earlier snapshot with years of enrollment history and changes behind them. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { changesEndpoint } from "../../../server/endpoints/changes/changes.ts";
import type { changeFilters } from "../../../server/endpoints/changes/change-filters.ts";
import { formatsOf } from "../../../server/response/representations/all.ts";
import { putLoad } from "../load.ts";
import { type MeasuredServer, startServer } from "../processes.ts";
import { readWords, type Words } from "../words.ts";
import { pastTerms } from "./write-years.ts";

export interface YearsFigure {
  readonly name: string;
  readonly unit: "s" | "MB" | "1/s";
  /** Values by the number of years. */
  readonly values: Readonly<Record<number, number>>;
  /** The limit at any number of years; `floor`: the minimum. */
  readonly aim: number;
  readonly isLeast?: boolean;
}

type Figures = Record<string, Omit<YearsFigure, "name" | "values"> & { readonly value: number }>;

async function run(program: string, ...args: readonly string[]): Promise<{ id: string }> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", path, ...args]);
  return JSON.parse(stdout) as { id: string };
}

/** A longer response is not read to its end. */
const LONGEST_MS = 60_000;
const LONGEST_FILTERED_MS = 10_000;

/** Reads a response; times in seconds. */
async function ask(
  { base }: MeasuredServer,
  path: string,
  longestMs = LONGEST_MS,
): Promise<{ first: number; whole: number; headers: Headers }> {
  const began = performance.now();
  const response = await fetch(`${base}/v1/rest${path}`);
  let first: number | undefined;
  for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>) {
    first ??= performance.now() - began;
    if (performance.now() - began > longestMs) return { first: first / 1000, whole: NaN, headers: response.headers };
  }
  // A failed request has no figure.
  if (!response.ok) return { first: NaN, whole: NaN, headers: response.headers };
  return { first: (first ?? 0) / 1000, whole: (performance.now() - began) / 1000, headers: response.headers };
}

/** Adds so many years of history and changes to published data. */
export const writeYears = async (artifacts: string, years: number): Promise<void> =>
  void (await run("write-years.ts", artifacts, String(years)));

async function untilServed(server: MeasuredServer, id: string): Promise<void> {
  while ((await ask(server, "/schedule/terms")).headers.get("x-data-snapshot") !== id);
}

const historyOf = ({ department, courseNumber }: Words["recordedCourses"][number], more = {}): string =>
  `/enrollmentHistory?${new URLSearchParams({ department, courseNumber, ...more }).toString()}`;

/** A value of each filter of changes, which many of them meet. */
const filtersOf = ({ departments, instructors }: Words): Readonly<Record<keyof typeof changeFilters, string>> => ({
  since: `${pastTerms(1)[0]?.year}-01-15`,
  until: `${pastTerms(1)[0]?.year}-01-15`,
  year: pastTerms(1)[0]?.year ?? "",
  quarter: "Fall",
  department: departments.slice(0, 8).join(","),
  courseNumber: "1,2,3,10,199",
  sectionCodes: "10000-40000",
  instructorName: instructors[0]?.slice(0, 1) ?? "",
  kind: "enrolled,waitlist",
});

/** Measures, in a fresh server for each format, the additional memory for all changes, and for those of each filter. */
export async function measureBodies(artifacts: string, words: Words): Promise<Figures> {
  const figures: Figures = {};
  for (const format of formatsOf(changesEndpoint)) {
    const server = await startServer(artifacts);
    try {
      await ask(server, "/changes?limit=1");
      const before = (await server.readMemory()).now;
      const { first, whole } = await ask(server, `/changes?format=${format}`);
      // A Parquet file ends with what is in it.
      if (format !== "parquet") figures[`all changes as ${format}: first byte`] = { value: first, unit: "s", aim: 1 };
      figures[`all changes as ${format}: whole`] = { value: whole, unit: "s", aim: Infinity };
      for (const [name, value] of Object.entries(filtersOf(words)))
        await ask(server, `/changes?${new URLSearchParams({ format, [name]: value }).toString()}`, LONGEST_FILTERED_MS);
      const { most } = await server.readMemory();
      figures[`changes as ${format}, with each filter: memory`] = { value: most - before, unit: "MB", aim: 150 };
    } finally {
      await server.stop();
    }
  }
  return figures;
}

/** @param artifacts published data with so many years, which is published to */
export async function measureOne(artifacts: string, years: number): Promise<Figures> {
  const words = await readWords(artifacts);
  const figures: Figures = {};
  const inSeconds = (name: string, value: number, aim: number) => void (figures[name] = { value, unit: "s", aim });
  const courses = words.recordedCourses;
  const course = (i: number) => courses[(37 * i) % courses.length] as Words["recordedCourses"][number];
  const [term] = pastTerms(1);
  const department = words.departments[0] ?? "";
  let server = await startServer(artifacts);
  const seconds = async (path: string) => (await ask(server, path)).whole;
  try {
    const of = (params: object) => `/changes?${new URLSearchParams({ ...params, limit: "10" }).toString()}`;
    const [teacher = "", other = ""] = words.instructors;
    inSeconds("/changes?limit=10", await seconds(of({})), 0.3);
    inSeconds("changes of a department", await seconds(of({ department })), 0.3);
    inSeconds("changes of a section of a term", await seconds(of({ ...term, sectionCodes: "10017" })), 0.3);
    inSeconds("changes of a person, the first", await seconds(of({ instructorName: teacher })), 1);
    inSeconds("changes of a person", await seconds(of({ instructorName: other })), 1);
    const persons = words.instructors.slice(2, 10).map((instructorName) => seconds(of({ instructorName })));
    inSeconds("changes of a person, eight clients", Math.max(...(await Promise.all(persons))), 3);
    inSeconds("the Atom feed", await seconds("/changes?format=atom"), 0.3);
    inSeconds("a page in the middle", await seconds(of({ offset: String(Math.round(1e6 * years)) })), 1);
    await server.stop();

    server = await startServer(artifacts);
    inSeconds("first history after a start", await seconds(historyOf(course(0))), 0.5);
    // Request all of it, so that it is in memory.
    await ask(server, "/enrollmentHistory?format=json");
    for (let i = 1; i < 20; i++) await seconds(historyOf(course(i)));
    const paths = courses.map((course) => `/v1/rest${historyOf(course)}`);
    await putLoad({ base: server.base, paths, connections: 16, ms: 2000 });
    const { perSecond } = await putLoad({
      base: server.base,
      paths: paths.toReversed(),
      connections: 16,
      ms: 2000,
      once: true,
    });
    figures["history of a course without a term, 16 clients"] = {
      value: perSecond,
      unit: "1/s",
      aim: 400,
      isLeast: true,
    };
    const memory = async (name: string, aim: number) =>
      void (figures[name] = { value: (await server.readMemory()).now, unit: "MB", aim });
    await memory("server after history", 700);
    const before: string[] = [];
    for (let i = 0; i < 5; i++) {
      before.push((await ask(server, "/schedule/terms")).headers.get("x-data-snapshot") ?? "");
      await untilServed(server, (await run("publish-hour.ts", artifacts)).id);
      const took = await seconds(historyOf(course(20 + i)));
      if (i === 0) inSeconds("first history after a publish", took, 0.3);
    }
    for (const [i, asOf] of before.entries()) {
      const took = await seconds(historyOf(course(30), { asOf }));
      if (i === 0) inSeconds("first history as of an earlier snapshot", took, 0.5);
    }
    await memory("server after history of five earlier snapshots", 700);
  } finally {
    await server.stop();
  }
  return { ...figures, ...(await measureBodies(artifacts, words)) };
}

/** @param artifacts published data, which is copied */
export async function measureYears(
  artifacts: string,
  counts: readonly number[],
  tell: (text: string) => void,
): Promise<YearsFigure[]> {
  const all = new Map<string, YearsFigure>();
  for (const years of counts) {
    const folder = await mkdtemp(join(tmpdir(), "academic-years-"));
    const own = join(folder, "artifacts");
    try {
      tell(`writing ${years} years`);
      await cp(artifacts, own, { recursive: true, verbatimSymlinks: true });
      await writeYears(own, years);
      tell(`measuring with ${years} years`);
      for (const [name, { value, ...figure }] of Object.entries(await measureOne(own, years)))
        all.set(name, { name, ...figure, values: { ...all.get(name)?.values, [years]: value } });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return [...all.values()];
}
