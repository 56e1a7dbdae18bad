/** What an assistant reads before its first call (server/RULES.md, Assistants): short, and true. */
import { describe, expect, it } from "vitest";
import { TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import { VIEWS } from "../../../pipeline/contract/views.ts";
import { termsLine } from "../../../server/mcp/instructions.ts";
import { sqlDefinition } from "../../../server/mcp/sql/sql-tool.ts";
import { type Arguments, toTool } from "../../../server/mcp/tool.ts";
import { TOOLS } from "../../../server/mcp/tools.ts";
import { plain } from "../../../server/modes.ts";

const tools = TOOLS.map((record) => {
  const endpoint = plain.endpoints.find(({ path }) => path === record.path);
  if (!endpoint) throw new Error(record.path);
  return toTool(record, endpoint);
});
const queryOf = (name: string, given: Arguments) =>
  new URL(tools.find(({ record }) => record.name === name)?.toUrl(given) ?? "", "http://localhost").searchParams;

it("all tools together are described in 4,000 tokens of four bytes", () => {
  const list = { tools: [...tools.map(({ definition }) => definition), sqlDefinition] };
  expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(16_000);
});

describe.each(tools.map((tool) => [tool.record.name, tool] as const))("%s", (_name, { record, params, definition }) => {
  const properties = definition.inputSchema["properties"] as Record<
    string,
    { description?: string; examples?: (string | string[])[]; enum?: string[]; items?: { enum?: string[] } }
  >;

  it("takes every example and every value that it names", () => {
    for (const [name, property] of Object.entries(properties)) {
      if (name === "id") continue;
      const values = [...(property.examples ?? []), ...(property.enum ?? []), ...(property.items?.enum ?? [])];
      for (const value of values) expect(params[name]?.read([value].flat())).toBeDefined();
    }
  });

  it("has the fields that it names, and marks those of the default", () => {
    if (!params["fields"]) return expect(record.fields).toBeUndefined();
    const [names = "", rest] = (properties["fields"]?.description ?? "").replace("ALL or of ", "").split(";");
    expect(params["fields"].read(names.replaceAll("*", "").split(" "))).toBeDefined();
    expect(names.split(" ").filter((name) => name.endsWith("*")).length).toBe(record.fields?.length ?? 0);
    expect(rest === undefined).toBe(record.fields === undefined);
  });

  it("names a table of the same data", () => {
    expect([...TABLE_NAMES, ...VIEWS.map((view) => view.name)]).toContain(record.table);
  });
});

describe("a call", () => {
  it("asks for the usual fields, for those that are given, or for all", () => {
    const fall = { year: "2026", quarter: "Fall" };
    expect(queryOf("sections", fall).get("fields")).toMatch(/status$/);
    expect(queryOf("sections", { ...fall, instructorIds: true }).get("fields")).toMatch(/,instructorIds$/);
    expect(queryOf("sections", { ...fall, fields: ["sectionCode", "units"] }).getAll("fields")).toEqual([
      "sectionCode",
      "units",
    ]);
    expect(queryOf("sections", { ...fall, fields: ["ALL"] }).has("fields")).toBe(false);
    expect(queryOf("course", { id: "MATH 2B" }).has("fields")).toBe(false);
  });

  it("asks for no more elements than an answer may hold", () => {
    expect(queryOf("courses", {}).get("limit")).toBe("300");
    expect(queryOf("courses", { limit: 7 }).get("limit")).toBe("7");
    expect(queryOf("courses", { limit: 9999 }).get("limit")).toBe("300");
    expect(queryOf("search", { q: "x" }).has("limit")).toBe(false);
  });
});

describe("the terms", () => {
  const term = (year: string, quarter: Quarter, [start, end, finalsStart, finalsEnd]: string[]) => ({
    ...{ year, quarter, instructionStart: start ?? "", instructionEnd: end ?? "" },
    ...{ finalsStart: finalsStart ?? "", finalsEnd: finalsEnd ?? "" },
  });
  const calendar = [
    term("2027", "Winter", ["2027-01-04", "2027-03-12", "2027-03-13", "2027-03-19"]),
    term("2026", "Fall", ["2026-09-24", "2026-12-04", "2026-12-05", "2026-12-11"]),
  ];
  const published = [{ year: "2026", quarter: "Fall" } as const];

  it.each([
    [
      "2026-10-05",
      /The current term is 2026 Fall \(.*until 2026-12-11\)\. The next term is 2027 Winter, from 2027-01-04/,
    ],
    ["2026-12-20", /It is a break between terms\. The next term is 2027 Winter/],
    ["2027-03-19", /The current term is 2027 Winter .*No next term is known/],
    ["2025-01-01", /break.*The next term is 2026 Fall/],
  ])("on %s", (today, line) => {
    expect(termsLine(today, calendar, published)).toMatch(line);
    expect(termsLine(today, calendar, published)).toMatch(/Schedules are published of 2026 Fall\.$/);
  });

  it("those that begin on one day are next together", () => {
    const [one, ten] = [
      term("2026", "Summer1", ["2026-06-22", "2026-07-27", "2026-07-28", "2026-07-29"]),
      term("2026", "Summer10wk", ["2026-06-22", "2026-08-28", "2026-08-29", "2026-09-04"]),
    ];
    expect(termsLine("2026-06-20", [...calendar, ten, one], published)).toMatch(
      /The next term is 2026 Summer1 and 2026 Summer10wk, from 2026-06-22 on/,
    );
  });

  it("the newest schedules are named, the others counted", () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ year: String(2026 - n), quarter: "Fall" }) as const);
    expect(termsLine("2026-10-05", calendar, many)).toMatch(/2021 Fall and 24 older ones, the oldest 1997 Fall\.$/);
    expect(termsLine("2026-10-05", [], [])).toMatch(/No schedule is published yet\.$/);
    expect(termsLine("2026-10-05", calendar, many, "2027 Winter")).toMatch(
      /Students are choosing classes for 2027 Winter: use it if no term is named\. Schedules/,
    );
  });
});
