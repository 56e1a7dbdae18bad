/** A client that a usual generator makes from the served OpenAPI document: strictly compiled, then used against the server that served it. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptLooseForms } from "../../../server/compat/compat.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf } from "../../support/examples.ts";
import { openSurface } from "../http/surface-server.ts";

const run = promisify(execFile);
const packages = new URL("../../../node_modules", import.meta.url).pathname;
const olderTypescript = new URL("../../../.setup/older-typescript.mjs", import.meta.url).href;

/** What a user writes; each marked line must not compile. */
const PLAIN = `
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

export const open = (baseUrl: string) => createClient<paths, "application/json" | "text/csv">({ baseUrl });

export async function use(baseUrl: string) {
  const client = open(baseUrl);
  const { data } = await client.GET("/v1/rest/schedule", {
    params: { query: { year: "2024", quarter: "Fall", cacheOnly: true, sectionCodes: ["20000", "20002-20003"] } },
  });
  const codes: string[] | undefined = data?.schools.flatMap((s) => s.departments.flatMap((d) => d.courses.flatMap((c) => c.sections.map(({ sectionCode }) => sectionCode))));
  const course = await client.GET("/v1/rest/courses/{id}", { params: { path: { id: "DANCE20" } } });
  const list: string[] | undefined = course.data?.prerequisiteList;
  const person = await client.GET("/v1/rest/instructors/{id}", { params: { path: { id: "ramberley" } } });
  const terms: string[] | undefined = person.data?.courseHistory["DANCE 10"];
  const grades = await client.GET("/v1/rest/grades/aggregate", { params: { query: { department: ["DANCE"], excludePNP: true } } });
  const average: number | undefined = grades.data?.gradeDistribution.averageGPA;
  // @ts-expect-error a number is no text
  const text: string | undefined = grades.data?.gradeDistribution.averageGPA;
  // @ts-expect-error the quarter is missing
  void (() => client.GET("/v1/rest/larc", { params: { query: { year: "2024" } } }));
  // @ts-expect-error no such path
  void (() => client.GET("/v1/rest/websoc/terms"));
  // @ts-expect-error no such quarter
  void (() => client.GET("/v1/rest/larc", { params: { query: { year: "2024", quarter: "Autumn" } } }));
  const { error } = await client.GET("/v1/rest/week", { params: { query: { year: "2024", month: "x" } } });
  const message: string | undefined = error?.message;
  return { codes, course: course.data?.id, list, terms, average, text, message };
}
`;

const COMPAT = `
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

export const open = (baseUrl: string) => createClient<paths, "application/json" | "text/csv">({ baseUrl });

export async function use(baseUrl: string) {
  const client = open(baseUrl);
  const { data } = await client.GET("/v1/rest/websoc", {
    params: { query: { year: "2024", quarter: "Fall", cacheOnly: true, sectionCodes: ["20000", "20002-20003"] } },
  });
  const codes: string[] | undefined = data?.payload.schools.flatMap((s) => s.departments.flatMap((d) => d.courses.flatMap((c) => c.sections.map(({ sectionCode }) => sectionCode))));
  const course = await client.GET("/v1/rest/courses/{id}", { params: { path: { id: "DANCE20" } } });
  const list: string[] | undefined = course.data?.payload.prerequisiteList;
  const person = await client.GET("/v1/rest/instructors/{id}", { params: { path: { id: "ramberley" } } });
  const terms: string[] | undefined = person.data?.payload.courseHistory["DANCE 10"];
  const netid: string | undefined = person.data?.payload.ucinetid;
  const grades = await client.GET("/v1/rest/grades/aggregate", { params: { query: { department: ["DANCE"], excludePNP: true } } });
  const average: number | undefined = grades.data?.payload.gradeDistribution.averageGPA;
  // @ts-expect-error a number is no text
  const text: string | undefined = grades.data?.payload.gradeDistribution.averageGPA;
  // @ts-expect-error the payload is in an envelope
  const bare = course.data?.title;
  const { error } = await client.GET("/v1/rest/week", { params: { query: { year: "2024", month: "x" } } });
  const message: string | undefined = error?.message;
  const failed: false | undefined = error?.success;
  return { codes, course: course.data?.payload.id, list, terms, average, text, message, netid, failed, bare };
}
`;

interface Built {
  use(baseUrl: string): Promise<Record<string, unknown>>;
  open(baseUrl: string): { GET(path: string, init: object): Promise<{ data?: Body; error?: object }> };
}
type Body = Record<string, unknown>;

/** What the client reads of an answer: all of it but who asked, and when. */
const withoutRequest = (body: Body | undefined): Body => {
  if (!body || !("payload" in body)) return body ?? {};
  const { requestId: _id, timestamp: _at, ...rest } = body;
  return rest;
};

const MODES = [
  ["0", PLAIN],
  ["1", COMPAT],
] as const;
const surfaces = new Map<string, Awaited<ReturnType<typeof openSurface>>>();
let folder: string;

/** Both clients are compiled at once. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "generated-client-"));
  await symlink(packages, join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const generator = join(packages, "openapi-typescript/bin/cli.js");
  for (const [compat, usage] of MODES) {
    const surface = await openSurface({ COMPAT: compat });
    surfaces.set(compat, surface);
    const cwd = join(folder, compat);
    await mkdir(cwd);
    await writeFile(join(cwd, "openapi.json"), await (await fetch(`${surface.url}/v1/openapi.json`)).text());
    await writeFile(join(cwd, "usage.ts"), usage);
    await run(process.execPath, ["--import", olderTypescript, generator, "openapi.json", "-o", "api.ts"], { cwd });
  }
  const options = ["--strict", "--noUncheckedIndexedAccess", "--target", "ES2022", "--module", "NodeNext"];
  const types = [
    "--lib",
    "ES2022,DOM,DOM.Iterable",
    "--types",
    "",
    "--skipLibCheck",
    "--rootDir",
    ".",
    "--outDir",
    "built",
  ];
  const files = MODES.map(([compat]) => `${compat}/usage.ts`);
  const said = await run(join(packages, ".bin/tsc"), [...options, ...types, ...files], { cwd: folder }).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(said.stdout).toBe("");
});
afterAll(async () => {
  for (const surface of surfaces.values()) await surface.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(MODES)("COMPAT=%s", (compat) => {
  let surface: Awaited<ReturnType<typeof openSurface>>;
  let built: Built;
  beforeAll(async () => {
    surface = surfaces.get(compat) as typeof surface;
    built = (await import(pathToFileURL(join(folder, "built", compat, "usage.js")).href)) as Built;
  });

  it("compiles strictly, and reads what the server answers", async () => {
    const answer = await built.use(surface.url);
    expect(answer).toMatchObject({ codes: ["20000", "20002", "20003"], course: "DANCE20", list: [] });
    expect(answer["average"]).toBe(answer["text"]);
    expect(answer["average"]).toBeTypeOf("number");
    expect(answer["message"]).toContain('Invalid month provided: "x"');
    if (compat === "1") expect(answer).toMatchObject({ netid: "ramberley", failed: false, bare: undefined });
  });

  it("calls every operation of the document", async () => {
    const client = built.open(surface.url);
    for (const endpoint of endpoints) {
      const [path = "", query = ""] = exampleOf(endpoint).split("?");
      const id = decodeURIComponent(path.split("/").at(-1) ?? "");
      const params = { path: { id }, query: Object.fromEntries(new URLSearchParams(query)) };
      const template = (path: string) => `/v1/rest${path.replace(":id", "{id}")}`;
      const expected = (await (await fetch(`${surface.base}${exampleOf(endpoint)}`)).json()) as Body;
      const older = compat === "1" ? acceptLooseForms(endpoint).alsoAt : undefined;
      const names = [endpoint.path, ...(older === undefined ? [] : [older])].map(template);
      for (const name of names) {
        const { data, error } = await client.GET(name, { params });
        expect(error, name).toBeUndefined();
        expect(withoutRequest(data), name).toEqual(withoutRequest(expected));
      }
    }
  });
});
