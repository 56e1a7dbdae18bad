/** Which questions COMPAT=1 takes that are wrong without it (server/RULES.md, COMPAT). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCompat } from "./compat-rows.ts";

let opened: Awaited<ReturnType<typeof openCompat>>;
let compat: typeof opened.compat;
let plain: typeof opened.plain;
beforeAll(async () => {
  opened = await openCompat();
  ({ compat, plain } = opened);
});
afterAll(() => opened?.close());

const TERM = "year=2024&quarter=Fall";
const codesIn = (text: string): string[] => [...text.matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code = ""]) => code);
async function codesOf(server: typeof compat, query: string): Promise<string[]> {
  const response = await server.get(`/schedule?${TERM}&${query}`);
  const text = await response.text();
  expect([query, response.status, text]).toEqual([query, 200, expect.stringContaining("schools")]);
  return codesIn(text);
}

describe("questions", () => {
  it.each([
    ["cacheOnly=True", ["20000", "20001", "20002", "20003"]],
    ["cacheOnly=1", ["20000", "20001", "20002", "20003"]],
    ["cacheOnly=1&cache=True&includeCoCourses=0&sectionCodes=20001", ["20001"]],
    ["department=DANCE&cacheOnly=False", ["20000", "20001", "20002", "20003"]],
    ["cacheOnly=1&days=tuth", ["20000"]],
    ["cacheOnly=1&days=T", ["20000", "20002"]],
    ["cacheOnly=1&days=t", ["20000", "20002"]],
    ["cacheOnly=1&days=TTh", ["20000"]],
    ["cacheOnly=1&days=mwf", ["20001"]],
    ["cacheOnly=1&days=sa,SU", ["20003"]],
    ["cacheOnly=1&days=M,f", ["20001"]],
    ["cacheOnly=1&days=TuTh", ["20000"]],
  ])("booleans and days in looser forms: %s", async (query, found) => {
    expect(await codesOf(compat, query)).toEqual(found);
    const older = await compat.json<unknown>(`/websoc?${TERM}&${query}`);
    expect(codesIn(JSON.stringify(older))).toEqual(found);
  });

  it.each([
    ["cacheOnly=True", "true or false"],
    ["cacheOnly=1", "true or false"],
    ["cacheOnly=true&days=mwf", "days written with"],
    ["cacheOnly=true&days=T", "days written with"],
  ])("which stay 400 without COMPAT=1: %s", async (query, allowed) => {
    const response = await plain.get(`/schedule?${TERM}&${query}`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(allowed)]);
  });

  it.each([
    "cacheOnly=TRUE",
    "cacheOnly=2",
    "cacheOnly=true&cache=1&cache=0",
    "cacheOnly=1&days=x",
    "cacheOnly=1&days=S",
  ])("what is no boolean and no day stays 400: %s", async (query) =>
    expect((await compat.get(`/schedule?${TERM}&${query}`)).status).toBe(400),
  );

  it("excludePNP too", async () => {
    expect((await compat.get("/grades/raw?excludePNP=1")).status).toBe(200);
    expect((await plain.get("/grades/raw?excludePNP=1")).status).toBe(400);
  });

  it("excludeRestrictionCodes, in both modes", async () => {
    for (const server of [compat, plain]) {
      expect(await codesOf(server, "department=DANCE&excludeRestrictionCodes=A")).toEqual(["20002", "20003"]);
      expect(await codesOf(server, "department=DANCE&excludeRestrictionCodes=L,K")).toEqual(["20000", "20002"]);
      expect(await codesOf(server, "department=DANCE&excludeRestrictionCodes=")).toHaveLength(4);
    }
  });
});
