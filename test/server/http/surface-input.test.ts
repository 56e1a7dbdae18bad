/** Whatever a client says, the answer is right or a 400 that says why: never a 500, never a word about the inside (server/RULES.md, HTTP). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf, withParameter } from "../../support/examples.ts";
import { openSurface } from "./surface-server.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

/** Words of dependencies, places and stacks. */
const INSIDE =
  /duckdb|binder|catalog error|parser error|conversion error|prepared|narrow_|node_modules|\/tmp|\.ts\b|\n {4}at /i;

async function get(path: string): Promise<{ status: number; text: string; warning: string | null }> {
  const response = await fetch(`${surface.base}${path}`);
  const text = await response.text();
  expect(() => JSON.parse(text) as unknown, path).not.toThrow();
  if (response.status !== 200) {
    expect(Buffer.byteLength(text), path).toBeLessThanOrEqual(4096);
    expect(text, path).not.toMatch(INSIDE);
    expect(response.headers.get("x-request-id"), path).toBe((JSON.parse(text) as { requestId: string }).requestId);
  }
  return { status: response.status, text, warning: response.headers.get("warning") };
}

const HOSTILE = [
  "' OR '1'='1",
  "'; DROP TABLE grades; --",
  '" OR 1=1 --',
  "$1",
  "?",
  "\\",
  "\\'",
  "%",
  "_",
  "😀👩‍👩‍👧‍👦",
  "مرحبا ‏بالعالم",
  "ßẞİıſK",
  "e\u0301",
  "\u0000",
  "a\u0000b",
  "\u202e\ufeff",
  "\r\n\r\n",
  "\t",
  "null",
  "undefined",
  "NaN",
  "-1",
  "0x10",
  "1e9",
  "99999999999999999999",
  "__proto__",
  "constructor",
  "{}",
  "[]",
  "<script>alert(1)</script>",
  "../../../etc/passwd",
  "a".repeat(3000),
  "😀".repeat(600),
  '"'.repeat(2000),
];

describe.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))("%s", (_path, endpoint) => {
  const example = exampleOf(endpoint);

  it("hostile values of every parameter", async () => {
    for (const name of Object.keys(endpoint.params)) {
      const asked = new URL(`http://x${example}`);
      for (const value of HOSTILE) {
        asked.searchParams.set(name, value);
        const { status, text } = await get(asked.pathname + asked.search);
        expect([200, 400], `${name}=${value.slice(0, 50)}`).toContain(status);
        if (value.includes("\u0000")) expect(status).toBe(400);
        if (status === 400) expect((JSON.parse(text) as { message: string }).message).toContain(name);
      }
    }
  });

  it("hostile names of parameters", async () => {
    const { text } = await get(example);
    for (const name of HOSTILE) {
      const answer = await get(withParameter(example, name, name.slice(0, 20)));
      expect(answer.status, name.slice(0, 50)).toBe(200);
      expect(answer.text).toBe(text);
      expect(answer.warning).toMatch(/^299 - "[ -~]+"$/);
    }
  });

  it("very many parameters, known and unknown", async () => {
    const { text } = await get(example);
    const mark = example.includes("?") ? "&" : "?";
    const unknown = Array.from({ length: 1500 }, (_, n) => `${n}=`).join("&");
    const answer = await get(`${example}${mark}${unknown}`);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.warning).toMatch(/1495 more unknown parameters ignored"$/);
    for (const name of Object.keys(endpoint.params)) {
      const same = await get(`${example}${mark}${`${name}=&`.repeat(200)}`);
      expect([same.status, same.text]).toEqual([200, text]);
    }
  });

  it("every parameter wrong at once: the message names every one, the body stays below 4 KB", async () => {
    const names = Object.keys(endpoint.params);
    if (names.length === 0) return;
    // As many as an address has room for.
    const smileys = "😀".repeat(
      Math.floor((8000 / names.length - "excludeRestrictionCodes=&".length) / "%F0%9F%98%80".length),
    );
    for (const junk of ["\u0000", '"'.repeat(40), smileys]) {
      const query = new URLSearchParams(names.map((name): [string, string] => [name, junk]));
      const { status, text } = await get(`${endpoint.path.replace(":id", "x")}?${query}`);
      expect([200, 400]).toContain(status);
      if (junk !== "\u0000") continue;
      expect(status).toBe(400);
      for (const name of names) expect((JSON.parse(text) as { message: string }).message).toContain(`"${name}"`);
    }
  });

  it("lists as long as an address can be", async () => {
    const lists = Object.entries(endpoint.params).filter(([, param]) => param.multi);
    for (const [name] of lists) {
      for (const first of [10_000, 100]) {
        const items: number[] = [];
        let length = 300;
        for (let n = first; length < 8000; n++) length += String(n).length + 1 + (items.push(n) && 0);
        const { status } = await get(`${example}${example.includes("?") ? "&" : "?"}${name}=${items.join(",")}`);
        expect([200, 400], `${name} with ${items.length} items`).toContain(status);
      }
    }
  });
});

describe("answers stay right", () => {
  it("free texts are texts: what nobody is called matches nothing, and nothing is lost", async () => {
    const before = await get("/grades/aggregateByCourse");
    for (const value of HOSTILE.filter((text) => !text.includes("\u0000") && text.trim() !== "")) {
      const encoded = encodeURIComponent(value);
      for (const path of [
        `/grades/raw?instructor=${encoded}`,
        `/grades/aggregateByOffering?courseNumber=${encoded}`,
        `/courses?titleContains=${encoded}`,
        `/courses?taughtByInstructors=${encoded}`,
        `/instructors?shortenedName=${encoded}`,
        `/instructors?schoolsContains=${encoded}`,
      ])
        expect([await get(path), path]).toEqual([
          {
            status: 200,
            text: "[]",
            warning: path.startsWith("/grades/raw")
              ? expect.stringMatching(/^299 - "unknown instructor [\x20-\x7e]+"$/)
              : null,
          },
          path,
        ]);
    }
    expect(await get("/grades/aggregateByCourse")).toEqual(before);
  });

  it("percent and underscore are no wildcards", async () => {
    for (const part of ["%", "_", "M%t", "M_vement", "move.*"])
      expect((await get(`/courses?titleContains=${encodeURIComponent(part)}`)).text).toBe("[]");
    expect(JSON.parse((await get("/courses?titleContains=oVEm")).text)).toHaveLength(2);
  });

  it('"single-valued parameter given twice with different values: 400"', async () => {
    expect(await get("/grades/raw?year=2024&year=2023")).toMatchObject({ status: 400 });
    expect((await get("/grades/raw?year=2024&year=2023")).text).toContain(
      'Parameter \\"year\\" takes one value but was given 2 different ones: \\"2024\\", \\"2023\\"',
    );
    expect(await get("/grades/raw?year=2024&year=&year=2024&sectionCode=10001")).toMatchObject({ status: 200 });
  });

  it.each([
    ["year=24", 'Invalid year provided: "24" (allowed: a year of four digits)'],
    ["year=20245", "year"],
    ["year=２０２４", "year"],
    ["quarter=fall", "Winter, Spring, Summer1, Summer10wk, Summer2, Fall"],
    ["quarter=Autumn", "quarter"],
    ["sectionCode=1234", "a section code of five digits"],
    ["sectionCode=123456", "sectionCode"],
    ["sectionCode=12345-12350", "sectionCode"],
    ["division=lowerdiv", "LowerDiv, UpperDiv, Graduate"],
    ["ge=GE-9", "GE-1A, GE-1B, GE-2, GE-3, GE-4, GE-5A, GE-5B, GE-6, GE-7, GE-8"],
    ["ge=ge-2", "ge"],
    ["excludePNP=1", "true or false"],
    ["excludePNP=True", "excludePNP"],
    ["excludePNP=yes", "excludePNP"],
  ])("grades?%s is 400 and says what is allowed", async (query, words) => {
    for (const view of ["raw", "aggregate", "options", "aggregateByCourse", "aggregateByOffering"]) {
      const { status, text } = await get(`/grades/${view}?${query}`);
      expect(status).toBe(400);
      expect((JSON.parse(text) as { message: string }).message).toContain(words);
    }
  });

  it("several problems are joined by `; `", async () => {
    const { text } = await get("/grades/raw?year=x&quarter=y&ge=z");
    expect((JSON.parse(text) as { message: string }).message.split("; ")).toHaveLength(3);
  });
});
