/** The tool `sql`: strangers' statements reach the published tables and nothing else, and take no more than they may (server/RULES.md, Assistants). */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQL_LIMITS } from "../../../server/mcp/sql/limits.ts";
import { publishRows } from "../../support/published/published.ts";
import { descendants } from "../../support/leftovers.ts";
import { start } from "../../support/program.ts";
import { openFolder } from "../../support/whole-run.ts";
import { sectionRow } from "../../support/worlds/section-rows.ts";
import { ask } from "../http/wire.ts";
import { openAssistant, post, toMessage } from "./assistant.ts";
import { someOf } from "../../support/extent.ts";

const WHOLE = "SELECT sum(a.i * b.i) FROM range(1000000) a(i), range(1000000) b(i)";

const LISTENING = /"url":"(http:[^"]+)"/;

let folder: Awaited<ReturnType<typeof openFolder>>;
let server: ReturnType<typeof start>;
let [url, id] = ["", ""];
let assistant: Awaited<ReturnType<typeof openAssistant>>;
const env = () => ({ ...folder.env, HOST: "127.0.0.1", PORT: "0" });
const publish = (enrolled: string) =>
  publishRows(folder.artifacts, {
    sections: Array.from({ length: 300 }, (_, n) =>
      sectionRow({ sectionCode: String(20_000 + n), maxCapacity: enrolled }),
    ),
  });
beforeAll(async () => {
  folder = await openFolder();
  ({ id } = await publish("7"));
  // A process of its own: what it takes can be measured.
  server = start("server/main.ts", [], { ...env(), SECRET: "of this process" });
  [, url = ""] = await server.says(LISTENING);
  assistant = await openAssistant(url);
});
afterAll(async () => {
  await assistant?.close();
  server?.child.kill("SIGTERM");
  await server?.ended;
  await folder?.remove();
});

const sql = (statement: string) => assistant.result("sql", { statement });
const refusal = (statement: string) => assistant.error("sql", { statement });
/** The processes that the server started. */
const processes = () => descendants(server.child.pid ?? 0);
/** The process that waits for the next statement is no statement's. */
const noStatements = (running: readonly number[] = []) =>
  expect
    .poll(() => {
      const pids = processes().map(({ pid }) => pid);
      return pids.length <= 1 && !pids.some((pid) => running.includes(pid));
    })
    .toBe(true);

/** The processor time of a process, in hundredths of a second. */
function processorTicks(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return Number(user) + Number(system);
}

/** Asks, and hangs up when `leave` is called. */
function postAndLeave(statement: string) {
  const leaving = new AbortController();
  const asked = fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: toMessage("sql", { statement }),
    signal: leaving.signal,
  }).then((response) => response.text());
  return { leave: () => leaving.abort(), asked };
}

it("gives rows as objects, with the snapshot and their number", async () => {
  const statement = "SELECT year, count(*) AS sections, avg(1.5) AS half, [1, 2] AS list FROM sections GROUP BY year";
  expect(await sql(statement)).toEqual({
    snapshot: id,
    total: 1,
    warnings: [],
    data: [{ year: "2024", sections: 300, half: 1.5, list: [1, 2] }],
  });
  expect(await sql("SELECT 1 WHERE false")).toEqual({ snapshot: id, total: 0, warnings: [], data: [] });
});

it("gives as many rows as fit, and the statement that is advised brings the next ones", async () => {
  const { total, columns = [], data, narrow } = await sql("FROM sections ORDER BY sectionCode");
  const shown = data as string[][];
  expect([total, shown.length < 300]).toEqual([300, true]);
  const [, offset] = /OFFSET (\d+) brings/.exec(narrow ?? "") ?? [];
  expect(Number(offset)).toBe(shown.length);
  const next = await sql(`SELECT sectionCode FROM sections ORDER BY sectionCode OFFSET ${offset}`);
  expect((next.data as object[])[0]).toEqual({ sectionCode: String(20_000 + shown.length) });
  expect(shown.at(-1)?.[columns.indexOf("sectionCode")]).toBe(String(20_000 + shown.length - 1));
  expect(await refusal("SELECT repeat('x', 300000) AS x FROM range(100)")).toMatch(/a row is longer than 256 kB/);
});

it("FROM columns shows all columns in one answer, and those of one table", async () => {
  const all = await sql("FROM columns");
  expect([(all.data as unknown[]).length, all.narrow]).toEqual([all.total, undefined]);
  expect(all.total).toBeGreaterThan(300);
  expect((await sql("FROM columns WHERE \"table\" = 'grades'")).data).toContainEqual(
    expect.objectContaining({ table: "grades", column: "averageGPA" }),
  );
});

describe("no files, network, settings, processes or other databases", () => {
  const OUTSIDE = [
    ...["SELECT * FROM read_csv('/etc/passwd')", "FROM glob('/**')", "FROM 'http://127.0.0.1:1/x.parquet'"],
    ...["SELECT getenv('SECRET')", "FROM duckdb_secrets()", "FROM duckdb_settings", "COPY sections TO '/tmp/x'", ""],
  ];
  // `statements.test.ts` has many more, without a process for each.
  it.each(someOf(OUTSIDE, 3))("%s", async (statement) => {
    const message = await refusal(statement);
    expect(message).not.toMatch(/memory|takes longer|of this process/);
    expect(message).not.toContain(folder.artifacts);
  });

  it("says what is allowed, and what was meant", async () => {
    expect(await refusal("FROM sectionz")).toBe('there is no table "sectionz". Did you mean sections?');
    expect(await refusal("SELECT yaer FROM sections")).toMatch(/Binder Error: .*"yaer".*"year".*\(line 1, column 8\)/);
  });

  it("a statement's process has nothing of the server's environment, and Node gives it no right to write", async () => {
    const { leave, asked } = postAndLeave(WHOLE);
    const environments = () => processes().map(({ pid }) => readFileSync(`/proc/${pid}/environ`, "utf8"));
    await expect.poll(environments).toEqual([""]);
    const [command = ""] = processes().map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    expect(command).toMatch(/-permission\0/);
    expect(command).not.toMatch(/allow-(?:fs-write|child-process|worker)/);
    leave();
    await expect(asked).rejects.toThrow();
    await noStatements();
  });
});

describe("bounded", () => {
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]) * 1024;

  const LARGE = [
    ["a list", "SELECT list(i) FROM range(1000000000) t(i)"],
    ["one long text", "SELECT repeat('x', 1000000000)"],
    ["texts that double", "SELECT repeat(repeat(repeat('x', 10000), 10000), 40) AS x"],
    ["a hash table", "SELECT count(*) FROM (SELECT DISTINCT i FROM range(1000000000) t(i))"],
    [
      "a cross join in order",
      "SELECT a.i FROM range(1000000) a(i), range(1000) b(i) ORDER BY hash(a.i + b.i) LIMIT 1 OFFSET 100000000",
    ],
    ["many long rows", "SELECT repeat('x', 100000) || i FROM range(100000) t(i)"],
  ] as const;
  it.each(someOf(LARGE, 1))("in memory: %s", async (_, statement) => {
    const before = rss();
    expect(await refusal(statement)).toMatch(
      /^(the statement needs more memory than it may use|the statement takes longer)/,
    );
    expect(rss() - before).toBeLessThan(64 * 1024 * 1024);
    expect((await ask(`${url}/v1/rest/week`)).status).toBe(200);
    await noStatements();
  });

  it("deep expressions and long statements are refused or answered, and the server goes on", async () => {
    const statements = [
      `SELECT ${"(".repeat(15_000)}1${")".repeat(15_000)}`,
      `SELECT ${Array.from({ length: 20_000 }, () => "1").join("+")}`,
      `SELECT ${"-".repeat(2)}${"x".repeat(60_000)}`,
      `SELECT '${"é".repeat(30_000)}' AS x`,
      "SELECT '\u0000' AS x",
    ];
    for (const statement of someOf(statements, 2))
      expect((await post(url, toMessage("sql", { statement }))).status).toBe(200);
    expect((await sql("SELECT 1 AS n")).data).toEqual([{ n: 1 }]);
  });

  it("60 statements at once: one runs, some wait, the others are told to come back, and other requests do not wait", async () => {
    const statement = "SELECT sum(a.i * b.i)::DOUBLE AS n FROM range(3000) a(i), range(3000) b(i)";
    const all = Array.from({ length: 60 }, () => post(url, toMessage("sql", { statement })));
    expect((await ask(`${url}/v1/rest/week`)).status).toBe(200);
    const texts = (await Promise.all(all)).map(({ message }) => message.result?.content[0]?.text ?? "");
    const busy = texts.filter(
      (text) => text === "Busy: other statements are running. Please try again in a few seconds.",
    );
    const done = texts.filter((text) => text.includes('"data":[{"n":'));
    expect(done.length).toBeGreaterThan(SQL_LIMITS.waitingOfClient);
    expect(done.length + busy.length).toBe(60);
    expect((await sql(statement)).total).toBe(1);
    await noStatements();
  });

  it("a client that leaves ends its statement", async () => {
    const { leave, asked } = postAndLeave(WHOLE);
    // The process that waited is taken, so that its time tells when the statement runs.
    const busy = () => processes().flatMap(({ pid }) => (processorTicks(pid) > 50 ? [pid] : []));
    await expect.poll(() => busy().length, { timeout: 8000 }).toBe(1);
    const pids = busy();
    leave();
    await expect(asked).rejects.toThrow();
    await noStatements(pids);
  });
});

describe("in time", () => {
  const MS = 1500;
  let hurried: Awaited<ReturnType<typeof openAssistant>>;
  let other: typeof server;
  beforeAll(async () => {
    other = start("server/main.ts", [], { ...env(), QUERY_TIMEOUT_MS: String(MS) });
    hurried = await openAssistant((await other.says(LISTENING))[1] ?? "");
  });
  afterAll(async () => {
    await hurried?.close();
    other?.child.kill("SIGTERM");
    await other?.ended;
  });

  const LONG = [
    ["for ever", "WITH RECURSIVE t AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM t) SELECT count(*) FROM t"],
    ["10^12 rows", "SELECT sum(i) FROM range(1000000000000) t(i)"],
    ["10^12 rows to count", "FROM generate_series(1, 1000000000000)"],
  ] as const;
  it.each(someOf(LONG, 1))("%s", async (_, statement) => {
    expect(await hurried.error("sql", { statement })).toBe(
      `the statement takes longer than ${MS / 1000} seconds: read fewer rows`,
    );
    await expect.poll(() => descendants(other.child.pid ?? 0).length).toBeLessThanOrEqual(1);
  });
});

it("a statement that runs during a publication keeps its snapshot; the next one has the new one", async () => {
  const slow = `SELECT max(maxCapacity) AS seats, (SELECT sum(a.i * b.i) FROM range(10000) a(i), range(10000) b(i)) > 0 AS late FROM sections`;
  const running = sql(slow);
  const published = await publish("8");
  await expect.poll(async () => (await ask(`${url}/v1/rest/week`)).headers["x-data-snapshot"]).toBe(published.id);
  const next = await sql("SELECT max(maxCapacity) AS seats FROM sections");
  expect([next.snapshot, next.data]).toEqual([published.id, [{ seats: "8" }]]);
  const { snapshot, data } = await running;
  expect([snapshot, data]).toEqual([id, [{ seats: "7", late: true }]]);
});
