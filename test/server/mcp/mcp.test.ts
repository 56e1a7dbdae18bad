/** `/mcp` over HTTP: what tools return, and what every route has (server/RULES.md, Assistants). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFolder, serve } from "../../support/whole-run.ts";
import { openSurface } from "../http/surface-server.ts";
import { ask, parseRaw, sendRaw } from "../http/wire.ts";
import { scrape } from "../telemetry/scrape.ts";
import { HEADERS, openAssistant, post, toMessage } from "./assistant.ts";

let server: Awaited<ReturnType<typeof openSurface>>;
let assistant: Awaited<ReturnType<typeof openAssistant>>;
beforeAll(async () => {
  server = await openSurface({ RATE_LIMIT: "2000/s" });
  assistant = await openAssistant(server.url);
});
afterAll(async () => {
  await assistant?.close();
  await server?.close();
});

const FALL = { year: "2024", quarter: "Fall" };

describe("tools", () => {
  it("are six to ten, read only, and described by their endpoints", () => {
    const { tools } = assistant;
    expect(tools.length).toBeGreaterThanOrEqual(6);
    expect(tools.length).toBeLessThanOrEqual(10);
    for (const { annotations } of tools)
      expect(annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
    const sections = tools.find(({ name }) => name === "sections");
    expect(sections?.inputSchema.required).toEqual(["year", "quarter"]);
    expect(sections?.inputSchema.properties?.["year"]).toMatchObject({ description: "calendar year" });
    expect(Object.keys(sections?.inputSchema.properties ?? {})).not.toContain("cache");
  });

  it("say the snapshot, when the data is from, and the same as text", async () => {
    const answer = await post(server.url, toMessage("course", { id: "DANCE10" }));
    const { structuredContent, content } = answer.message.result as unknown as {
      structuredContent: object;
      content: { text: string }[];
    };
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
    const course = await ask(`${server.base}/courses/DANCE10`);
    const updated = new Date(String(course.headers["last-modified"])).toISOString();
    expect(structuredContent).toEqual({ snapshot: server.id, updated, warnings: [], data: course.json() });
  });

  it("return as many elements as an answer holds, with the total and the call that brings the next ones", async () => {
    const all = (await ask(`${server.base}/grades/aggregateByOffering`)).json<unknown[]>();
    const first = await assistant.result("grades_by_instructor", { fields: ["ALL"] });
    const shown = first.data as unknown[];
    expect([first.total, shown]).toEqual([all.length, all.slice(0, shown.length)]);
    expect(first.narrow).toMatch(
      /^\d+ pairs of course and instructor match; \d+ are shown\. Give offset \d+ for the next ones\. Narrow by year, quarter, instructor, netid, department, .*, excludePNP\.$/,
    );
    const [, offset] = /offset (\d+)/.exec(first.narrow ?? "") ?? [];
    const next = await assistant.result("grades_by_instructor", { fields: ["ALL"], offset: Number(offset) });
    expect((next.data as unknown[])[0]).toEqual(all[shown.length]);
    const page = await ask(`${server.base}/grades/aggregateByOffering?department=DANCE&limit=5&offset=2`);
    const usual = await assistant.result("grades_by_instructor", { department: "DANCE", limit: 5, offset: 2 });
    expect([String(usual.total), usual.data]).toEqual([
      page.headers["x-total-count"],
      page.json<Record<string, unknown>[]>().map(({ department, courseNumber, instructor, averageGPA }) => ({
        ...{ department, courseNumber, instructor, averageGPA },
      })),
    ]);
    expect(usual.narrow).toMatch(/5 are shown\. Give offset 7 for the next ones\. Narrow by year, /);
  });

  it("search gives the best hits, says how many there are, and ids that the other tools take", async () => {
    const { data, total, narrow } = await assistant.result("search", { q: "dance", limit: 1 });
    expect([(data as unknown[]).length, (total ?? 0) > 1]).toEqual([1, true]);
    expect(narrow).toMatch(/^\d+ hits match; the best 1 are shown\. Give offset 1 for the next ones\.$/);
    const hits = await assistant.result("search", { q: "dance", limit: 50 });
    for (const { kind, id, subtitle } of hits.data as { kind: string; id: string; subtitle: string }[]) {
      if (subtitle.includes("(not in the catalogue)"))
        expect(await assistant.error("course", { id })).toContain("/v1/rest/");
      else if (kind === "course" || kind === "instructor")
        expect(await assistant.result(kind, { id })).toHaveProperty("data");
    }
  });

  it("take the name of a course or a person where an id is", async () => {
    const byName = await assistant.result("course", { id: "DANCE 10" });
    expect(byName.data).toEqual((await assistant.result("course", { id: "dance10" })).data);
    const { data } = await assistant.result("instructor", { id: "ramberley" });
    const { name, shortenedName } = data as { name: string; shortenedName: string };
    for (const id of [name, shortenedName])
      expect(await assistant.result("instructor", { id })).toMatchObject({
        ...{ data, warnings: [`${id} is ${name}, netid ramberley`] },
      });
  });

  it("tell the terms with the first answer", () => {
    expect(assistant.instructions()).toMatch(
      /Today is \d{4}-\d\d-\d\d on campus\. .* No next term is known\. Students are choosing classes for 2024 Fall: .* Schedules are published of 2024 Fall\.$/,
    );
  });

  it("say who teaches a course of forty sections in the latest Fall, which are open and who graded best, in 4,000 tokens", async () => {
    const [, year] = /Schedules are published of .*?(\d{4}) Fall/.exec(assistant.instructions() ?? "") ?? [];
    const course = { department: "DANCE", courseNumber: "10" };
    const sections = await assistant.result("sections", { year, quarter: "Fall", ...course });
    const grades = await assistant.result("grades_by_instructor", { ...course, sort: "highestGPA" });
    expect([sections.narrow, grades.narrow]).toEqual([undefined, undefined]);
    expect(JSON.stringify(sections.data).match(/"instructors":\[".*?"status":"/g)?.length).toBe(40);
    const averages = (grades.data as { averageGPA: number }[]).map(({ averageGPA }) => averageGPA);
    expect(averages).toEqual([...averages].sort((a, b) => b - a));
    const tokens = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) / 4;
    const answers = tokens(sections) + tokens(grades);
    expect(answers).toBeLessThan(4000);
    expect(tokens(assistant.tools) + tokens(assistant.instructions()) + answers).toBeLessThan(8000);
  });

  it("fail with the words of the 400 and the 404, with suggestions", async () => {
    for (const [tool, args, path] of [
      [
        "sections",
        { year: "24", quarter: "fall", cacheOnly: undefined },
        "/schedule?year=24&quarter=fall&cacheOnly=true",
      ],
      [
        "sections",
        { ...FALL, sectionCodes: ["5000"] },
        "/schedule?year=2024&quarter=Fall&sectionCodes=5000&cacheOnly=true",
      ],
      ["course", { id: "DANCE1" }, "/courses/DANCE1"],
      ["search", {}, "/search"],
      ["changes", { since: "0123456789abcdef" }, "/changes?since=0123456789abcdef"],
    ] as const)
      expect(await assistant.error(tool, args)).toBe(
        (await ask(server.base + path)).json<{ message: string }>().message,
      );
  });

  it("fail for unknown and impossible arguments", async () => {
    for (const [args, message] of [
      [{ ...FALL, dept: "DANCE" }, 'Unknown parameter "dept". Did you mean department?'],
      [{ ...FALL, cache: false }, /^Unknown parameter "cache"/],
      [{ ...FALL, format: "csv" }, /^Unknown parameter "format"/],
      [{ ...FALL, department: ["A", "B"] }, "Invalid department provided: it takes one value"],
      [{ ...FALL, department: { a: 1 } }, "Invalid department provided: it takes one value"],
      [{ ...FALL, sectionCodes: [["1"], {}] }, "Invalid sectionCodes provided: it takes a list of values"],
    ] as const)
      expect(await assistant.error("sections", args)).toEqual(
        typeof message === "string" ? message : expect.stringMatching(message),
      );
    for (const id of ["..", ".", "%2e%2e"])
      expect(await assistant.error("course", { id })).toMatch(/not found|Nothing has/);
    for (const id of ["", null, "a".repeat(9000)]) await assistant.error("course", { id });
  });

  it("warn of unknown values, and of a term that is not published, without asking the schedule system", async () => {
    const { warnings } = await assistant.result("sections", { ...FALL, department: "DANSE" });
    expect(warnings).toEqual(["unknown department DANSE. Did you mean DANCE?"]);
    const other = await assistant.result("sections", { year: "2031", quarter: "Fall", department: "DANCE" });
    expect(other.data).toEqual({ schools: [] });
    expect(other.warnings).toEqual(["this term is not published here; the published terms are 2024 Fall"]);
  });

  it("answer as of an earlier snapshot", async () => {
    expect((await assistant.result("week", { asOf: server.id })).snapshot).toBe(server.id);
    expect(await assistant.error("week", { asOf: "2020-01-01" })).toMatch(
      /No retained snapshot is that of "2020-01-01"/,
    );
  });
});

describe("as a route", () => {
  it("takes POST only, from every site's pages on another machine; everything else stays as it was", async () => {
    for (const method of ["GET", "HEAD", "DELETE", "PUT"]) {
      const answer = await ask(`${server.url}/mcp`, { method, undocumented: true });
      expect([answer.status, answer.headers.allow]).toEqual([405, "POST, OPTIONS"]);
    }
    const preflight = await ask(`${server.url}/mcp`, { method: "OPTIONS", undocumented: true });
    expect([preflight.status, preflight.headers["access-control-allow-methods"]]).toEqual([204, "POST, OPTIONS"]);
    for (const path of ["/v1/rest/week", "/", "/llms.txt"])
      expect((await ask(server.url + path, { method: "POST", undocumented: true })).status).toBe(405);
  });

  it("has a request id, no session, and is counted and limited like every other", async () => {
    const before =
      (await scrape(server.url)).of("academic_data_http_requests_total", { route: "/mcp", status: "200" }) ?? 0;
    const { status, headers } = await post(server.url, toMessage("week", {}), {
      headers: { "x-request-id": "mine.1" },
    });
    expect([status, headers["x-request-id"], headers["mcp-session-id"]]).toEqual([200, "mine.1", undefined]);
    expect([headers["cache-control"], headers["ratelimit-limit"]]).toEqual([expect.stringMatching(/no-/), "2000"]);
    const { of } = await scrape(server.url);
    expect(of("academic_data_http_requests_total", { route: "/mcp", status: "200" })).toBe(before + 1);
  });

  it("refuses a request of more than 64 kB, and the connection ends", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", padding: "x".repeat(65_536) });
    const { status, headers, json } = await post(server.url, body);
    expect([status, headers.connection]).toEqual([413, "close"]);
    expect(json<{ message: string }>().message).toBe("The request is larger than 64 kB.");
    const head =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n";
    const raw = parseRaw(
      await sendRaw(server.url, [head, ...Array.from({ length: 9 }, () => `2000\r\n${"x".repeat(0x2000)}\r\n`)], 5),
    );
    expect(raw.status).toBe(413);
  });

  it("refuses names and sites that a local server does not have (DNS rebinding), unless a proxy stands before it", async () => {
    const body = toMessage("week", {});
    const statuses = async (url: string) => {
      const all = [
        { host: "evil.example" },
        { origin: "https://evil.example" },
        { origin: "null" },
        { host: "127.0.0.1:1", origin: "http://localhost:8080" },
        { host: "[::1]:3000" },
      ].map((headers) => post(url, body, { headers: headers as unknown as Record<string, string> }));
      return (await Promise.all(all)).map(({ status }) => status);
    };
    expect(await statuses(server.url)).toEqual([403, 403, 403, 200, 200]);
    const folder = await openFolder();
    const proxied = await serve({ ...folder.env, TRUST_PROXY: "1", BASE_PATH: "/academic" });
    expect(await statuses(proxied.url)).toEqual([200, 200, 200, 200, 200]);
    expect((await post(`${proxied.url}/academic`, body)).message.result?.content[0]?.text).toMatch(
      /No data has been published/,
    );
    expect(
      (await post(`${proxied.url}/academic`, toMessage("sql", { statement: "FROM sections" }))).message.result?.isError,
    ).toBe(true);
    await proxied.close();
    await folder.remove();
  });
});

it("limits clients: a call is one request", async () => {
  const folder = await openFolder();
  const limited = await serve({ ...folder.env, RATE_LIMIT: "2/h" });
  const answers = [];
  const call = toMessage("week", {});
  for (const body of [`[${call}]`, call, call]) answers.push((await post(limited.url, body)).status);
  expect(answers).toEqual([400, 200, 429]);
  await limited.close();
  await folder.remove();
});

it("tools return the plain shapes with COMPAT=1 too", async () => {
  const compat = await serve({ ARTIFACTS_DIR: server.artifacts, COMPAT: "1" });
  const other = await openAssistant(compat.url);
  for (const [tool, args] of [
    ["course", { id: "DANCE10" }],
    ["sections", { ...FALL, department: "DANCE" }],
    ["course", { id: "DANCE10", asOf: server.id }],
  ] as const)
    expect(await other.result(tool, args)).toEqual(await assistant.result(tool, args));
  expect(await other.error("course", { id: "DANCE1" })).toBe(await assistant.error("course", { id: "DANCE1" }));
  await other.close();
  await compat.close();
});

it("the older and the newer revision of the protocol get the same", async () => {
  const { message } = await post(server.url, toMessage("course", { id: "DANCE10" }));
  const revision = "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "a test", version: "1" },
  };
  const headers = { ...HEADERS, "mcp-protocol-version": revision, "mcp-method": "tools/call", "mcp-name": "course" };
  const params = { name: "course", arguments: { id: "DANCE10" }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const newer = await post(server.url, body, { headers });
  expect(newer.status).toBe(200);
  expect(newer.message.result?.content).toEqual(message.result?.content);
});
