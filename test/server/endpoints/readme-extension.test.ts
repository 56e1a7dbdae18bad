/** The worked example of server/README.md, "Extending the server": the server with its file and its two lines, type-checked, compiled and asked. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratchDatabase } from "../../pipeline/publish/scratch.ts";
import { openJudge, type OpenApiDocument } from "../../support/documented.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const section = (await readFile(join(ROOT, "server/README.md"), "utf8"))
  .split("\n## Extending the server\n")[1]
  ?.split("\n## ")[0];
const [file = "", registration = "", filter = "", format = "", middleware = "", ...others] = [
  ...(section ?? "").matchAll(/```ts\n(.*?)```/gs),
].map(([, code = ""]) => code);

const HOLIDAYS = [
  ["2024", "Fall", "2024-11-28"],
  ["2025", "Winter", "2025-01-20"],
  ["2025", "Fall", "2025-11-27"],
] as const;
const holidays = HOLIDAYS.map(([year, quarter, firstDay]) => ({
  ...{ year, quarter, event: "A Holiday" },
  ...{ firstDay, lastDay: firstDay },
}));
const calendar_dates = [
  ...holidays.map((holiday) => ({ ...holiday, kind: "holiday" as const })),
  ...holidays.map((holiday) => ({ ...holiday, event: "Enrollment closes", kind: "enrollment" as const })),
];
const FALL = holidays.filter(({ quarter }) => quarter === "Fall");
const courses = [
  courseRow({ courseNumber: "10", minUnits: 4, maxUnits: 4 }),
  courseRow({ courseNumber: "199", minUnits: 1, maxUnits: 4 }),
  courseRow({ courseNumber: "20", minUnits: 2, maxUnits: 2 }),
];

const execute = promisify(execFile);
const folder = await openFolder();
let copy: string;
const started: ChildProcess[] = [];
const database = await scratchDatabase();

async function addLine(path: string, before: string, line: string): Promise<void> {
  const source = await readFile(join(copy, path), "utf8");
  expect(source.split(before)).toHaveLength(2);
  await writeFile(
    join(copy, path),
    source.replace(before, () => `${before}${line}`),
  );
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "extended-"));
  for (const name of ["pipeline", "server", "package.json"])
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  for (const name of ["node_modules", "dist"]) await symlink(join(ROOT, name), join(copy, name));
  await writeFile(join(copy, "server/endpoints/holidays.ts"), file);
  await addLine("server/endpoints/registry.ts", "/** Every endpoint, one line each. */\n", registration);
  await addLine("server/endpoints/courses.ts", "const filters = {\n", filter);
  const representations = "server/response/representations";
  await writeFile(join(copy, representations, "yaml.ts"), format);
  await addLine(
    `${representations}/all.ts`,
    'import { json } from "./json.ts";\n',
    'import { yaml } from "./yaml.ts";\n',
  );
  await addLine(`${representations}/all.ts`, "= [json, ", "yaml, ");
  await writeFile(join(copy, "server/http/robots.ts"), middleware);
  const chain = "server/http/chain.ts";
  const imported = 'import { withinLimit } from "./rate-limit.ts";\n';
  await addLine(chain, imported, 'import { withoutRobot } from "./robots.ts";\n');
  await addLine(chain, "    withoutPrefix(base),\n", "    withoutRobot(reject),\n");
  const options = { include: ["pipeline", "server"], exclude: ["server/site/app"] };
  await writeFile(
    join(copy, "tsconfig.json"),
    JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      ...options,
      compilerOptions: { noEmit: false, rootDir: ".", outDir: "." },
    }),
  );
  await execute(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", copy]).catch(
    ({ stdout }: { stdout: string }) => expect(stdout).toBe(""),
  );
  await publishRows(folder.artifacts, { calendar_dates, courses });
});
afterAll(async () => {
  for (const child of started) child.kill();
  await rm(copy, { recursive: true });
  await folder.remove();
});

/** The program, and a way to ask it that compares JSON with its own OpenAPI document. */
async function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(copy, "server/main.js")], {
    env: { PATH: process.env["PATH"] ?? "", ...folder.env, HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "json", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  started.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (part: Buffer) => {
      said += part.toString();
      const [, found] = /"url":"([^"]+)"/.exec(said) ?? [];
      if (found) resolve(found);
    });
    child.on("close", () => reject(new Error(said)));
  });
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as OpenApiDocument;
  const { judge } = openJudge(document);
  async function get(path: string): Promise<{ status: number; bytes: Buffer; json: <T>() => T }> {
    const response = await fetch(`${url}/v1/rest${path}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    judge({
      method: "GET",
      path: `/v1/rest${path.split("?")[0]}`,
      status: response.status,
      headers: [...response.headers].filter(([name]) => name !== "content-length"),
      text: bytes.toString(),
    });
    return { status: response.status, bytes, json: <T>() => JSON.parse(bytes.toString()) as T };
  }
  return { url, document, get };
}

it("is one file and one line, and one line", () => {
  expect(others).toEqual([]);
  expect(registration.trimEnd().split("\n")).toHaveLength(1);
  expect(filter.trimEnd().split("\n")).toHaveLength(1);
});

describe("the server with them", () => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });

  it("answers with the endpoint in every format, filtered and in parts", async () => {
    expect((await server.get("/holidays")).json()).toEqual(holidays);
    expect((await server.get("/holidays?limit=1&offset=1")).json()).toEqual(holidays.slice(1, 2));
    expect((await server.get("/holidays?quarter=Fall")).json()).toEqual(FALL);
    const csv = await server.get("/holidays?quarter=Fall&format=csv");
    expect(parse(csv.bytes, { columns: true })).toEqual(FALL);
    const ndjson = await server.get("/holidays?quarter=Fall&format=ndjson");
    const lines = ndjson.bytes.toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(FALL);
    const path = join(folder.artifacts, "holidays.parquet");
    await writeFile(path, (await server.get("/holidays?quarter=Fall&format=parquet")).bytes);
    const read = await database.connection.runAndReadAll("SELECT to_json(t)::VARCHAR FROM read_parquet($1) t", [path]);
    expect(read.getRowsJS().map(([row]) => JSON.parse(row as string) as object)).toEqual(FALL);
  });

  it("answers in a format that is one record, by its name and by its type", async () => {
    const ask = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${server.url}/v1/rest/holidays${query}`, { headers });
      return [response.headers.get("content-type"), response.headers.get("etag"), await response.json()];
    };
    const [type, tag, body] = await ask("?format=yaml&quarter=Fall");
    expect([type, body]).toEqual(["application/yaml", FALL]);
    expect(await ask("?quarter=Fall", { accept: "application/yaml" })).toEqual([type, tag, body]);
    const [, tagOfJson] = await ask("?quarter=Fall");
    expect(tagOfJson).not.toBe(tag);
  });

  it("passes every request through the middleware, also one that is replayed or not routed", async () => {
    const ask = async (path: string, agent: string) => {
      const response = await fetch(server.url + path, { headers: { "user-agent": agent } });
      return [response.status, response.ok || ((await response.json()) as { message: string }).message];
    };
    for (let i = 0; i < 3; i++) expect(await ask("/v1/rest/holidays", "Reader/1")).toEqual([200, true]);
    for (const path of ["/v1/rest/holidays", "/nowhere"])
      expect(await ask(path, "GreedyBot/1")).toEqual([403, "This robot is not served."]);
  });

  it("explains it, and refuses wrong parameters", async () => {
    const told = await server.get("/holidays?year=2025&quarter=Fall&explain=true");
    expect(told.json()).toMatchObject({
      title: "Holidays, Fall 2025",
      tables: [{ name: "calendar_dates" }],
      sql: expect.stringContaining("FROM calendar_dates") as string,
      rows: 1,
    });
    const wrong = await server.get("/holidays?quarter=fall&year=25");
    expect([wrong.status, wrong.json<{ message: string }>().message.match(/Invalid \w+/g)]).toEqual([
      400,
      ["Invalid year", "Invalid quarter"],
    ]);
    expect((await server.get("/holidays?asOf=2000-01-01")).status).toBe(404);
  });

  it("documents it, and lists it for programs", async () => {
    const { get } = server.document.paths["/v1/rest/holidays"] ?? {};
    expect(get).toMatchObject({ operationId: "holidays", tags: ["Holidays"] });
    expect(get?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["year", "quarter", "limit", "offset", "format", "asOf", "explain"]),
    );
    expect(server.document.components.schemas["Holidays"]).toMatchObject({ type: "array" });
    expect(await (await fetch(`${server.url}/`)).text()).toContain("/v1/rest/holidays");
    // As `make setup` does.
    const { writeClients } = (await import(join(ROOT, ".setup/client.mjs"))) as {
      writeClients: (programs: string) => Promise<void>;
    };
    await writeClients(copy);
    const client = join(copy, "client.ts");
    await execute(process.execPath, [join(copy, "server/docs/client/client-command.js"), "--out", client]);
    expect(await readFile(client, "utf8")).toMatch(/^export type Holidays = /m);
  });

  it("answers with the filter, documents and explains it, and refuses wrong values of it", async () => {
    const numbers = async (query: string) =>
      (await server.get(`/courses?${query}`))
        .json<{ courseNumber: string }[]>()
        .map(({ courseNumber }) => courseNumber);
    expect(await numbers("units=4")).toEqual(["10", "199"]);
    expect(await numbers("units=2")).toEqual(["199", "20"]);
    expect(await numbers("units=2&maxUnits=3")).toEqual(["20"]);
    expect((await server.get("/courses?units=2&explain=true")).json()).toMatchObject({
      title: "Courses of 2 units",
      rows: 2,
    });
    expect((await server.get("/courses?units=two")).status).toBe(400);
    const { get } = server.document.paths["/v1/rest/courses"] ?? {};
    expect(get?.parameters).toContainEqual(expect.objectContaining({ name: "units", required: false }));
  });
});

it("with COMPAT=1 it has the envelope", async () => {
  const { get } = await start({ COMPAT: "1" });
  const response = await get("/holidays?quarter=Fall");
  expect(response.json()).toMatchObject({ payload: FALL, success: true });
});
