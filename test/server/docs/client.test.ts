/** The typed client: made by its command, compiled strictly, used by a program against a listening server. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationId } from "../../../server/openapi/operation.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf } from "../../support/examples.ts";
import { openSurface } from "../http/surface-server.ts";

const run = promisify(execFile);
const root = new URL("../../..", import.meta.url).pathname;

/** What a user writes; each marked line must not compile. */
const USAGE = `
import { createClient, type Section, ServiceError } from "./client.js";

export async function use(baseUrl: string) {
  const client = createClient({ baseUrl });
  const { schools } = await client.schedule({ year: "2024", quarter: "Fall", cacheOnly: true, sectionCodes: ["20000", "20002-20003"] });
  const found: Section[] = schools.flatMap((school) => school.departments.flatMap((d) => d.courses.flatMap((c) => c.sections)));
  const codes: string[] = found.map(({ sectionCode }) => sectionCode);
  const month: number | null | undefined = found[0]?.finalExam.month;
  const { courseHistory } = await client.instructorsById("ramberley");
  const terms: string[] | undefined = courseHistory["DANCE 10"];

  // @ts-expect-error no such quarter
  const wrongQuarter = client.schedule({ year: "2024", quarter: "Autumn", cacheOnly: true }).catch((error: unknown) => error);
  // @ts-expect-error the year is missing
  void ((): unknown => client.larc({ quarter: "Fall" }));
  // @ts-expect-error no such filter
  void ((): unknown => client.courses({ title: "x" }));
  // @ts-expect-error a time is a text
  void ((): unknown => client.larc({ year: "2024", quarter: "Fall", asOf: new Date() }));
  // @ts-expect-error so is the beginning of a range
  void ((): unknown => client.changesList({ since: 1 }));
  // @ts-expect-error and its end
  void ((): unknown => client.changesList({ since: "2024-09-01", until: new Date() }));
  // @ts-expect-error a number is no text
  const text: string | undefined = found[0]?.finalExam.day;

  let total: string | null = null;
  const part = await client.coursesAll({ limit: 1, offset: 1 }, { onHeaders: (headers) => (total = headers.get("X-Total-Count")) });
  const ids: string[] = part.map(({ id }) => id);

  const error = await wrongQuarter;
  if (!(error instanceof ServiceError)) throw new Error("a wrong quarter went through");
  const known: { status: number; message: string; id: string | undefined } = { status: error.status, message: error.message, id: error.problem?.requestId };
  return { codes, month, terms, text, total, ids, error: known };
}
`;

interface Built {
  use(baseUrl: string): Promise<{
    codes: string[];
    total: string | null;
    ids: string[];
    error: { status: number; message: string; id: string };
  }>;
}
type Client = Record<string, (...args: unknown[]) => Promise<unknown>>;
interface Made {
  createClient(options: object): Client;
  ServiceError: new (status: number, problem: undefined) => Error & { status: number; problem?: object };
}

let folder: string;
let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "client-"));
  surface = await openSurface();
  const { stdout } = await run("npm", ["run", "-s", "client", "--", "--out", join(folder, "client.ts")], { cwd: root });
  expect(stdout).toBe("");
  await writeFile(join(folder, "usage.ts"), USAGE);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
});
afterAll(async () => {
  await surface?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Without any types but the given ones: the module brings all it needs. */
async function compile(options: Record<string, unknown>): Promise<string> {
  const compilerOptions = {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    ...options,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts", "usage.ts"] }));
  const tsc = join(root, "node_modules/.bin/tsc");
  return run(tsc, ["--project", folder]).then(
    () => "",
    (failed: { stdout: string }) => failed.stdout,
  );
}

describe("the typed client", () => {
  it("compiles strictly for browsers and for Node; what is wrong does not compile", async () => {
    expect(await compile({ lib: ["ES2022", "DOM", "DOM.Iterable"], types: [], outDir: "built" })).toBe("");
    const types = { lib: ["ES2023"], types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
    expect(await compile({ ...types, noEmit: true })).toBe("");
  });

  it("answers a program what the server answers", async () => {
    const { use } = (await import(pathToFileURL(join(folder, "built/usage.js")).href)) as Built;
    const { codes, total, ids, error } = await use(surface.url);
    expect([total, ids]).toEqual(["2", ["DANCE20"]]);
    expect(codes).toEqual(["20000", "20002", "20003"]);
    expect(error.status).toBe(400);
    expect(error.message).toContain('Invalid quarter provided: "Autumn"');
    expect(error.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("has a function for every endpoint, which gives what fetch gives", async () => {
    const { createClient } = (await import(pathToFileURL(join(folder, "built/client.js")).href)) as Made;
    const client = createClient({ baseUrl: `${surface.url}/` });
    for (const endpoint of endpoints) {
      const [path = "", query = ""] = exampleOf(endpoint).split("?");
      const call = client[`${operationId(endpoint.path)}${endpoint.content === "changes" ? "List" : ""}`];
      if (!call) throw new Error(`${endpoint.path} has no function`);
      const ids = endpoint.path.includes(":id") ? [decodeURIComponent(path.split("/").at(-1) ?? "")] : [];
      const asked = Object.keys(endpoint.params).length > 0 ? [Object.fromEntries(new URLSearchParams(query))] : [];
      const expected = await (await fetch(`${surface.base}${exampleOf(endpoint)}`)).json();
      expect(await call(...ids, ...asked), endpoint.path).toEqual(expected);
    }
  });

  it("escapes ids, sends headers, gives up on a signal, and tells what it cannot read", async () => {
    const { createClient, ServiceError } = (await import(pathToFileURL(join(folder, "built/client.js")).href)) as Made;
    const seen: { url: string; headers: unknown }[] = [];
    const broken = (url: string, init: RequestInit) => {
      seen.push({ url, headers: init.headers });
      return Promise.resolve(new Response("<h1>Bad Gateway</h1>", { status: 502 }));
    };
    const client = createClient({ fetch: broken, headers: { "User-Agent": "a test" } });
    const error = await client["coursesById"]?.("CRM/LAWC7").catch((failed: unknown) => failed);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 502, message: "The service responded with status 502.", problem: undefined });
    expect(seen).toEqual([
      { url: "/v1/rest/courses/CRM%2FLAWC7", headers: { Accept: "application/json", "User-Agent": "a test" } },
    ]);
    const real = createClient({ baseUrl: surface.url });
    await expect(real["coursesAll"]?.({}, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});
