/** No answer of a tool is over 10,000 tokens, and what does not fit comes with further calls (server/RULES.md, Assistants). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerBytes, MAX_ANSWER_BYTES, toError } from "../../../server/mcp/answer.ts";
import { type Caller, callTool, sectionParts } from "../../../server/mcp/call.ts";
import { toResult } from "../../../server/mcp/sql/sql-tool.ts";
import type { Arguments, EndpointTool } from "../../../server/mcp/tool.ts";

const toolOf = (params: readonly string[]) =>
  ({
    record: { name: "things", path: "/schedule", params, most: [100, "things"], table: "sections" },
    params: {},
    toUrl: (given: Arguments) =>
      `http://localhost/things?limit=${given["limit"] ?? 100}&offset=${given["offset"] ?? 0}`,
  }) as unknown as EndpointTool;

const callerOf = (sendRequest: Caller["sendRequest"]) =>
  ({
    sendRequest,
    store: { current: () => undefined },
    reserveMemory: async () => () => undefined,
    requestId: "",
    signal: new AbortController().signal,
  }) as unknown as Caller;

const listing = (elements: readonly unknown[]) =>
  callerOf(async (url) => {
    const { searchParams: query } = new URL(url);
    const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
    return Response.json(elements.slice(offset, offset + limit), {
      headers: { "x-total-count": String(elements.length) },
    });
  });

it("following the offsets gives every element once, in answers that fit", async () => {
  const tool = toolOf(["limit", "offset"]);
  const element = fc
    .string({ maxLength: 40, unit: "grapheme" })
    .chain((text) => fc.integer({ min: 1, max: 200 }).map((times) => text.repeat(times)));
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 100 }), async (elements) => {
      const seen: unknown[] = [];
      let next: string | undefined = "0";
      while (next !== undefined) {
        const result = await callTool(tool, { offset: Number(next) }, listing(elements));
        expect(answerBytes(result)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
        seen.push(...(result.data as unknown[]));
        [, next] = /Give offset (\d+) for/.exec(result.narrow ?? "") ?? [];
      }
      expect(seen).toEqual(elements);
    }),
    { numRuns: 40 },
  );
});

it("one element that is too long is not shown, and the answer says what brings it", async () => {
  const long = await callTool(toolOf(["limit", "offset"]), { limit: 1 }, listing(["x".repeat(50_000)]));
  expect([long.data, long.narrow]).toEqual([undefined, expect.stringMatching(/with the tool sql, FROM sections\./)]);
  const codes = Array.from({ length: 300 }, (_, n) => String(10_000 + 7 * n));
  const course = { sections: codes.map((sectionCode) => ({ sectionCode, text: "x".repeat(200) })) };
  const { data, narrow = "" } = await callTool(toolOf(["sectionCodes", "limit"]), {}, listing([course]));
  expect(data).toBeUndefined();
  const ranges = [...narrow.matchAll(/(\d{5})-(\d{5})/g)].map(([, from = "", to = ""]) =>
    codes.filter((code) => code >= from && code <= to),
  );
  expect(ranges.flat()).toEqual(codes);
  for (const range of ranges) expect(range.length * 250).toBeLessThan(MAX_ANSWER_BYTES);
  expect(sectionParts({ sectionCode: "00001" }, 10)).toEqual(["00001"]);
});

it("what comes after an element that is too long has its own call", async () => {
  const result = await callTool(toolOf(["limit", "offset"]), {}, listing(["x".repeat(50_000), "y"]));
  expect([result.total, result.data, result.narrow]).toEqual([
    2,
    undefined,
    expect.stringMatching(/Give offset 1 for/),
  ]);
});

it("averages have two decimals", async () => {
  const rows = [{ averageGPA: 3.456789, other: 3.456789 }, { averageGPA: 0 }];
  const { data } = await callTool(toolOf(["limit", "offset"]), {}, listing(rows));
  expect(data).toEqual([{ averageGPA: 3.46, other: 3.456789 }, { averageGPA: 0 }]);
});

describe("rows of a statement", () => {
  it("are objects, and lists where these are too long: the call that is named brings the next ones", () => {
    const rows = Array.from({ length: 900 }, (_, n) => ({ department: `DEPARTMENT ${n}`, averageOfAllSections: n }));
    expect(toResult("s", { total: 3, rows: rows.slice(0, 3) }).data).toEqual(rows.slice(0, 3));
    const all = toResult("s", { total: 900, rows });
    expect([all.columns, (all.data as unknown[]).length, all.narrow]).toEqual([
      ["department", "averageOfAllSections"],
      900,
      undefined,
    ]);
    const part = toResult("s", { total: 9000, rows: [...rows, ...rows, ...rows] });
    const shown = (part.data as unknown[]).length;
    expect(answerBytes(part)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(part.narrow).toMatch(`9000 rows match; the first ${shown} are shown`);
    expect(part.narrow).toMatch(`OFFSET ${shown} brings the next`);
  });

  it("of which none fits are an error", () => {
    expect(() => toResult("s", { total: 1, rows: [{ x: "x".repeat(50_000) }] })).toThrow(/select fewer columns/);
    expect(toResult("s", { total: 0, rows: [] })).toEqual({ snapshot: "s", total: 0, warnings: [], data: [] });
  });
});

it("an error repeats only a part of what was sent", () => {
  expect(toError("x".repeat(60_000)).content[0]?.text.length).toBeLessThan(3000);
});
