/** server/RULES.md, HTTP: unknown parameters, and `Prefer: handling=strict`. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf, withParameter } from "../../support/examples.ts";
import { openSurface } from "../http/surface-server.ts";
import { ask, parseRaw, sendRaw } from "../http/wire.ts";

const STRICT = { Prefer: "handling=strict" };
let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${surface.base}${path}`, { headers, method });
const messageOf = (answer: { json<T>(): T }) => answer.json<{ message: string }>().message;

describe("an unknown parameter", () => {
  it("is ignored and met with what was probably meant", async () => {
    const { status, headers } = await get("/schedule?year=2024&quarter=Fall&dept=DANCE&cacheOnly=true");
    expect([status, headers.warning]).toEqual([
      200,
      '299 - "unknown parameter dept ignored: the response is not filtered by it. Did you mean department?"',
    ]);
  });

  it("without anything like it gets no suggestion", async () => {
    expect((await get("/week?xyzzy=1")).headers.warning).toBe(
      '299 - "unknown parameter xyzzy ignored: the response is not filtered by it"',
    );
  });

  it("of any name makes a sane header, and a sane message", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: "binary", maxLength: 200 }),
            fc.constantFrom("__proto__", "constructor", "%", "%25E2"),
          ),
          {
            minLength: 1,
            maxLength: 200,
          },
        ),
        fc.boolean(),
        async (names, strict) => {
          const known = ["year", "month", "day", "format", "limit", "offset"];
          const unknown = names.filter((name) => !known.includes(name));
          const query = new URLSearchParams(unknown.map((name): [string, string] => [name, "1"])).toString();
          if (query === "" || query.length > 7000) return;
          const { status, headers, text } = await get(`/week?${query}`, strict ? STRICT : {});
          expect(status).toBe(strict ? 400 : 200);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
          if (strict) return;
          expect(headers.warning).toMatch(/^299 - "[ !#-[\]-~]+"(, 299 - "[ !#-[\]-~]+")*$/);
          expect(headers.warning?.length).toBeLessThan(1000);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("may be one of hundreds: five are named, the others counted", async () => {
    const names = Array.from({ length: 200 }, (_, n) => `u${n}=`).join("&");
    const lenient = await get(`/week?${names}`);
    expect(lenient.headers.warning?.split(", ")).toHaveLength(6);
    expect(lenient.headers.warning).toMatch(/299 - "195 more unknown parameters ignored"$/);
    const strict = await get(`/week?${names}`, STRICT);
    expect([strict.status, messageOf(strict).split("; ").length]).toEqual([400, 6]);
    expect(messageOf(strict)).toMatch(/; 195 more unknown parameters$/);
  });
});

describe("Prefer: handling=strict", () => {
  it.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s: an unknown parameter is a 400, everything else as ever; every answer says so",
    async (_path, endpoint) => {
      const example = exampleOf(endpoint);
      const wrong = await get(withParameter(example, "departmnet", "x"), STRICT);
      expect([wrong.status, wrong.headers["preference-applied"]]).toEqual([400, "handling=strict"]);
      expect(messageOf(wrong)).toContain('Unknown parameter "departmnet"');
      if ("department" in endpoint.params) expect(messageOf(wrong)).toContain("Did you mean department?");
      const [plain, strict] = [await get(example), await get(example, STRICT)];
      expect([strict.status, strict.headers["preference-applied"]]).toEqual([200, "handling=strict"]);
      expect(plain.headers["preference-applied"]).toBeUndefined();
      expect([strict.headers.etag, strict.text]).toEqual([plain.headers.etag, plain.text]);
      for (const { headers } of [plain, strict]) expect(headers.vary).toBe("Accept-Encoding, Accept, Prefer");
      const same = await get(example, { ...STRICT, "If-None-Match": plain.headers.etag ?? "" });
      expect([same.status, same.headers["preference-applied"], same.headers.vary]).toEqual([
        304,
        "handling=strict",
        "Accept-Encoding, Accept, Prefer",
      ]);
      // The tag of the lenient answer does not make a wrong question right.
      const known = (await get(withParameter(example, "departmnet", "x"))).headers.etag ?? "";
      expect((await get(withParameter(example, "departmnet", "x"), { ...STRICT, "If-None-Match": known })).status).toBe(
        400,
      );
    },
  );

  it("is never mixed up with lenient questions in the same letters, however often they come", async () => {
    const path = "/courses?department=DANCE&dept=x";
    for (let round = 0; round < 4; round++) {
      for (const prefer of ["", "handling=lenient", "handling=lenient, handling=strict", "respond-async"]) {
        const lenient = await get(path, prefer ? { Prefer: prefer } : {});
        expect([lenient.status, lenient.headers["preference-applied"]]).toEqual([200, undefined]);
        expect(lenient.headers.warning).toContain("Did you mean department?");
      }
      for (const prefer of ["handling=strict", "HANDLING=Strict", 'handling="strict"', "wait=5, handling=strict; x=y"])
        expect((await get(path, { Prefer: prefer })).status).toBe(400);
      const strict = await get("/courses?department=DANCE", STRICT);
      expect([strict.status, strict.headers["preference-applied"]]).toEqual([200, "handling=strict"]);
      expect((await get("/courses?department=DANCE")).headers["preference-applied"]).toBeUndefined();
    }
  });

  it("in a repeated header is found", async () => {
    const head = "GET /v1/rest/week?dept=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    const answer = async (lines: string) => parseRaw(await sendRaw(surface.url, `${head}${lines}\r\n`)).status;
    expect(await answer("Prefer: wait=5\r\nPrefer: handling=strict\r\n")).toBe(400);
    expect(await answer("Prefer: handling=lenient\r\nPrefer: handling=strict\r\n")).toBe(200);
  });

  it("is said on a 404 too; a 404 does not depend on it", async () => {
    const { status, headers } = await get("/courses/NOWHERE1", STRICT);
    expect([status, headers["preference-applied"]]).toEqual([404, "handling=strict"]);
  });

  it("can be read by pages of other sites", async () => {
    expect((await get("/week")).headers["access-control-expose-headers"]).toBe("*");
  });
});
