/** `explain=true` over HTTP: what is told, refusals, headers, published files, sources, live responses, COMPAT=1. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../../support/whole-run.ts";
import { publishRows } from "../../../support/published/published.ts";
import { sectionRow } from "../../../support/worlds/section-rows.ts";
import { inventedWorld } from "../../../support/worlds/worlds.ts";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { exampleOf } from "../../../support/examples.ts";
import { EXPLANATION_TYPE } from "../../../../server/response/explain/shape.ts";
import { ask } from "../../http/wire.ts";
import { CRAWLED, openExplainWorld } from "./explain-world.ts";

interface Told {
  title: string;
  request: { url: string; values: Record<string, unknown> };
  snapshot: { id: string; generation: number; createdAt: string };
  tables: { name: string; files: { url: string; sha256: string; rows: number }[]; sources: object[] }[];
  upstream: string | null;
  sql: string | null;
  rows: number;
  grades?: object[];
}

describe("explain=true", () => {
  let folder: Awaited<ReturnType<typeof openExplainWorld>>;
  let upstream: Awaited<ReturnType<typeof inventedWorld.start>>;
  let server: Awaited<ReturnType<typeof serve>>;
  const told = async (address: string) => (await ask(`${server.url}/v1/rest${address}`)).json<Told>();

  beforeAll(async () => {
    folder = await openExplainWorld();
    upstream = await inventedWorld.start(inventedWorld.read());
    const address = new URL(upstream.urls.SCHEDULE_URL);
    address.search = "key=secret";
    server = await serve({ ...folder.env, SCHEDULE_URL: address.href });
  });
  afterAll(async () => {
    await server?.close();
    await upstream?.close();
    await folder?.remove();
  });

  it("tells the normal form of the request, the snapshot, and where the table came from", async () => {
    const first = await told("/grades/raw?department=i%26csci&year=2022&unknown=1&explain=true&offset=&limit=2");
    expect(first.request).toEqual({
      url: "/v1/rest/grades/raw?department=i%26csci&limit=2&year=2022",
      values: { year: "2022", department: ["I&CSCI"] },
    });
    expect(first.title).toBe("Grades of sections in I&CSCI, 2022");
    expect(first.snapshot).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      generation: 3,
      createdAt: CRAWLED.toISOString(),
    });
    const [grades, ...others] = first.tables;
    expect(others).toEqual([]);
    expect(grades?.sources).toEqual([
      {
        system: "records",
        name: "https://records.example/",
        year: "2022",
        quarter: null,
        fetchedAt: CRAWLED.toISOString(),
        sha256: null,
        rows: null,
      },
    ]);
    expect(first.sql).toMatch(/^SELECT .+ FROM grades WHERE .+'I&CSCI'.+ LIMIT 2 OFFSET 0$/);
    expect([first.upstream, first.rows, first.grades?.length]).toEqual([null, 2, 2]);
    expect(
      (await told("/schedule?year=2024&quarter=Fall&sectionCodes=00399,%2000200,00200&explain=true")).request,
    ).toEqual({
      url: "/v1/rest/schedule?quarter=Fall&sectionCodes=00200%2C00399&year=2024",
      values: {
        year: "2024",
        quarter: "Fall",
        sectionCodes: [
          { low: 399, high: 399 },
          { low: 200, high: 200 },
        ],
      },
    });
  });

  it("reaches behind the end, and takes the largest offset", async () => {
    for (const path of ["/courses?", "/enrollmentHistory?", "/grades/raw?", "/search?q=dance&"]) {
      const { rows, sql } = await told(`${path}explain=true&offset=99999999999999999999`);
      expect([path, rows, typeof sql]).toEqual([path, 0, "string"]);
    }
  });

  it("names files that can be downloaded, and no others", async () => {
    const { tables } = await told("/grades/aggregate?year=2022&explain=true");
    const files = tables.flatMap((table) => table.files);
    expect(files).toHaveLength(1);
    for (const { url, sha256 } of files)
      expect(
        createHash("sha256")
          .update((await ask(server.url + url)).raw)
          .digest("hex"),
      ).toBe(sha256);
    expect((await told("/courses/all?explain=true")).tables.map(({ name, files }) => [name, files.length])).toEqual([
      ["courses", 1],
    ]);
  });

  it("is JSON of a type of its own that is not cached, in whichever format the response would be", async () => {
    const { status, headers, json } = await ask(`${server.url}/v1/rest/courses?explain=true&format=csv`);
    expect([status, headers["content-type"], headers["cache-control"], headers["etag"]]).toEqual([
      200,
      `${EXPLANATION_TYPE}; charset=utf-8`,
      "no-store",
      undefined,
    ]);
    const body = json<Told>();
    expect(body.snapshot.id).toBe(headers["x-data-snapshot"]);
    expect((await ask(`${server.url}/v1/rest/courses?explain=false`)).json()).toHaveLength(body.rows);
  });

  it.each([
    ["", EXPLANATION_TYPE, true],
    ["", `${EXPLANATION_TYPE}, application/json;q=0.5`, true],
    ["", `application/json, ${EXPLANATION_TYPE};q=0.5`, false],
    ["", "application/*", false],
    ["", "*/*", false],
    ["?explain=false", EXPLANATION_TYPE, false],
    ["?format=json", EXPLANATION_TYPE, false],
    ["?explain=true", "application/json", true],
  ])("asked for by %j and Accept: %s: %j", async (query, accept, isExplained) => {
    const { headers, json } = await ask(`${server.url}/v1/rest/courses${query}`, { headers: { accept } });
    expect(headers["content-type"]).toBe(`${isExplained ? EXPLANATION_TYPE : "application/json"}; charset=utf-8`);
    expect("snapshot" in json<object>()).toBe(isExplained);
    expect(headers.vary).toContain("Accept");
  });

  it.each([
    "/schedule?year=24",
    "/week?year=2024",
    "/larc?",
    "/courses?minUnits=x",
    "/courses/NOBODY1?",
    "/instructors/nobody?",
    "/search?q=",
  ])("refuses %s like the request without it", async (address) => {
    const [plain, explained] = await Promise.all(
      ["", "&explain=true"].map((more) => ask(`${server.url}/v1/rest${address}${more}`)),
    );
    const message = (answer: typeof plain) => answer?.json<{ message: string }>().message;
    expect([explained?.status, message(explained)]).toEqual([plain?.status, message(plain)]);
    expect(plain?.status).toBeGreaterThanOrEqual(400);
    expect((await ask(`${server.url}/v1/rest/courses?explain=yes`)).json()).toMatchObject({
      message: expect.stringContaining('Invalid explain provided: "yes"'),
    });
  });

  it("tells of every endpoint", async () => {
    for (const endpoint of endpoints) {
      const address = exampleOf(endpoint);
      const { status, text } = await ask(
        `${server.url}/v1/rest${address}${address.includes("?") ? "&" : "?"}explain=true`,
      );
      // The example's course or person need not be in this world.
      expect([address, status, text.includes('"sql":') || status === 404]).toEqual([
        address,
        endpoint.id ? status : 200,
        true,
      ]);
    }
  });

  it("names the upstream of a live response, without secrets, and has no statement", async () => {
    const { sections } = inventedWorld.read();
    const { year, quarter, deptCode = "" } = sections.at(-1) ?? {};
    const query = new URLSearchParams({
      year: `${year}`,
      quarter: `${quarter}`,
      department: deptCode,
      cancelledCourses: "Include",
    });
    const body = await told(`/schedule?${query}&explain=true`);
    expect(body.upstream).toBe(
      new URL(upstream.urls.SCHEDULE_URL).origin + new URL(upstream.urls.SCHEDULE_URL).pathname,
    );
    expect([body.sql, body.tables]).toEqual([null, []]);
    const live = (await ask(`${server.url}/v1/rest/schedule?${query}`)).text;
    expect(body.rows).toBe(live.match(/"sectionCode"/g)?.length);
    // Never asked with cacheOnly=true.
    expect((await told(`/schedule?${query}&cacheOnly=true&explain=true`)).upstream).toBeNull();
  });

  it("has the envelope with COMPAT=1", async () => {
    const compat = await serve({ ...folder.env, COMPAT: "1" });
    const body = (await ask(`${compat.url}/v1/rest/websoc/depts?explain=true`)).json<{
      success: boolean;
      payload: Told;
    }>();
    await compat.close();
    expect([body.success, body.payload.tables.map(({ name }) => name)]).toEqual([true, ["departments", "grades"]]);
  });

  it("tells the recorded sources of the tables and terms that it reads", async () => {
    const source = (tableName: string, quarter: "Fall" | "Winter" | null, name: string) => ({
      system: "schedule",
      name,
      tableName,
      year: quarter && "2024",
      quarter,
      sha256: "cd".repeat(32),
      fetchedAt: "2026-10-05T06:59:00.125Z",
      rows: 7,
    });
    await publishRows(folder.artifacts, {
      sections: [sectionRow({ quarter: "Winter" })],
      sources: [
        source("sections", "Fall", "fall"),
        source("sections", "Winter", "winter"),
        source("larc", null, "larc"),
      ],
    });
    await expect
      .poll(async () => (await told("/larc?year=2024&quarter=Fall&explain=true")).snapshot.generation)
      .toBe(4);
    const { tables } = await told("/schedule?year=2024&quarter=Fall&cacheOnly=true&explain=true");
    const { tableName: _, ...recorded } = source("sections", "Fall", "fall");
    expect(tables[0]).toMatchObject({ name: "sections", sources: [recorded] });
    expect((await told("/larc?year=2024&quarter=Fall&explain=true")).tables[0]?.sources).toMatchObject([
      { name: "larc" },
    ]);
  });
});
