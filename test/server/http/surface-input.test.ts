/** Whatever a client says, the answer is right or a 400 that says why: never a 500, never a word about the inside (server/RULES.md, HTTP). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf, withParameter } from "../../support/examples.ts";
import { partOf } from "../../support/extent.ts";
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

/** The next parameter, or the next endpoint, takes the next part. */
const PARTS = 12;

describe.each(endpoints.map((endpoint, i) => [endpoint.path, endpoint, i] as const))("%s", (_path, endpoint, at) => {
  const example = exampleOf(endpoint);

  it("hostile values of every parameter", async () => {
    for (const [i, name] of Object.keys(endpoint.params).entries()) {
      const asked = new URL(`http://x${example}`);
      for (const value of partOf(HOSTILE, at + i, PARTS)) {
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
    for (const name of partOf(HOSTILE, at, PARTS)) {
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
    for (const name of partOf(Object.keys(endpoint.params), at, 3)) {
      const same = await get(`${example}${mark}${`${name}=&`.repeat(200)}`);
      expect([same.status, same.text]).toEqual([200, text]);
    }
  });

  it("lists as long as an address can be", async () => {
    const lists = Object.entries(endpoint.params).filter(([, param]) => param.multi);
    for (const [name] of partOf(lists, at, 2)) {
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
});
