/** Behaviour §1: unknown parameters, `Prefer: handling=strict`, and ids, codes and departments that are probably meant. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../server/endpoints/all.ts";
import { openFolder, serve } from "../world.ts";
import { exampleOf, withParameter } from "./examples.ts";
import { historyRow, periodRows } from "./formats/history-row.ts";
import { publishRows } from "./published.ts";
import { rows } from "./search-campus.ts";
import { openSurface } from "./surface-server.ts";
import { gradeRow } from "../publish/scratch.ts";
import { ask, parseRaw, sendRaw } from "./wire.ts";

const STRICT = { Prefer: "handling=strict" };
let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${surface.base}${path}`, { headers, method });
const messageOf = (answer: { json<T>(): T }) => answer.json<{ message: string }>().message;

describe("an unknown parameter", () => {
  it.each([
    ["/schedule?year=2024&quarter=Fall&dept=DANCE&cacheOnly=true", "dept", "department"],
    ["/schedule?year=2024&quarter=Fall&prof=A&cacheOnly=true", "prof", "instructorName"],
    ["/schedule?year=2024&quarter=Fall&title=A&cacheOnly=true", "title", "courseTitle"],
    ["/grades/raw?professor=A&year=1999", "professor", "instructor"],
    ["/grades/aggregate?term=Fall", "term", "quarter"],
    ["/courses?number=10", "number", "courseNumber"],
    ["/courses?title=Movement", "title", "titleContains"],
    ["/courses/all?limits=3", "limits", "limit"],
  ])("%s is ignored and met with what was probably meant", async (path, name, meant) => {
    const { status, headers } = await get(path);
    expect([status, headers.warning]).toEqual([
      200,
      `299 - "unknown parameter ${name} ignored. Did you mean ${meant}?"`,
    ]);
  });

  it("without anything like it gets no suggestion", async () => {
    expect((await get("/week?xyzzy=1")).headers.warning).toBe('299 - "unknown parameter xyzzy ignored"');
  });

  it('"A 400 also lists the ignored parameters"', async () => {
    const answer = await get("/grades/raw?year=24&dept=DANCE&xyzzy=%22a%0d%0a");
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toBe(
      'Invalid year provided: "24" (allowed: a year of four digits); Ignored unknown parameter "dept". Did you mean department?; Ignored unknown parameter "xyzzy"',
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

  it("in percent-encoding is the same name", async () => {
    expect((await get("/week?%64ept=1")).headers.warning).toContain("unknown parameter dept ignored");
    expect((await get("/grades/raw?%79ear=1999")).headers.warning).toBeUndefined();
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

  it("names unknown parameters beside everything else that is wrong", async () => {
    const answer = await get("/grades/raw?year=24&dept=DANCE", STRICT);
    expect(messageOf(answer)).toBe(
      'Invalid year provided: "24" (allowed: a year of four digits); Unknown parameter "dept". Did you mean department?',
    );
  });

  it("is said on a 404 too; a 404 does not depend on it", async () => {
    const { status, headers } = await get("/courses/NOWHERE1", STRICT);
    expect([status, headers["preference-applied"]]).toEqual([404, "handling=strict"]);
  });

  it("can be read by pages of other sites", async () => {
    const exposed = (await get("/week")).headers["access-control-expose-headers"]?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["Warning", "Preference-Applied"]));
  });
});

describe("on a campus with names to mix up", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    folder = await openFolder();
    await publishRows(folder.artifacts, {
      ...rows,
      grades: [gradeRow({ sectionCode: "10000", department: "SHEETS" })],
      enrollment_history: [{ ...historyRow("10001"), department: "SEEN" }],
      enrollment_periods: periodRows("10001", [["2019-10-01", "2019-10-02", "5"]]),
    });
    server = await serve(folder.env);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });
  const at = (path: string, headers: Record<string, string> = {}) => ask(`${server.url}/v1/rest${path}`, { headers });

  it.each([
    ["/courses/CS161", 'Course "CS161" not found. Did you mean "COMPSCI161"?'],
    ["/courses/cs%20161", 'Course "cs 161" not found. Did you mean "COMPSCI161"?'],
    ["/courses/ICS46", 'Course "ICS46" not found. Did you mean "I&CSCI46"?'],
    ["/courses/CSH161", 'Course "CSH161" not found. Did you mean "COMPSCIH161"?'],
    ["/courses/I%26C%20SCI%2046", 'Course "I&C SCI 46" not found. Did you mean "I&CSCI46"?'],
    ["/courses/COMPSIC161", 'Course "COMPSIC161" not found. Did you mean "COMPSCI161" or "COMPSCIH161"?'],
    ["/courses/crm%2Flawc8", 'Course "crm/lawc8" not found. Did you mean "CRM/LAWC7"?'],
    ["/courses/COMPSCI16X", 'Course "COMPSCI16X" not found. Did you mean "COMPSCI16" or "COMPSCI161"?'],
    ["/courses/qosterwi", 'Course "qosterwi" not found'],
    ["/courses/XQZZV999", 'Course "XQZZV999" not found'],
    ["/courses/__proto__", 'Course "__proto__" not found'],
    ["/courses/%00", 'Course "\ufffd" not found'],
    ["/instructors/qosterwj", 'Instructor "qosterwj" not found. Did you mean "qosterwi"?'],
    ["/instructors/QOSTREWI", 'Instructor "QOSTREWI" not found. Did you mean "qosterwi"?'],
    ["/instructors/Quillon%20Osterwick", 'Instructor "Quillon Osterwick" not found. Did you mean "qosterwi"?'],
    ["/instructors/OSTERWICK,%20T.", 'Instructor "OSTERWICK, T." not found. Did you mean "tosterwi"?'],
    ["/instructors/COMPSCI161", 'Instructor "COMPSCI161" not found'],
    ["/instructors/nobody", 'Instructor "nobody" not found'],
  ])("%s is a 404 that suggests a known one", async (path, message) => {
    const answer = await at(path);
    expect([answer.status, messageOf(answer)]).toEqual([404, message]);
  });

  it("a 404 of a very long id stays small and quick", async () => {
    for (const id of ["a".repeat(7000), "cs161 ".repeat(1000), "%E2%82%AC".repeat(800), "1".repeat(7000)]) {
      const answer = await at(`/courses/${encodeURI(decodeURI(id))}`);
      expect(answer.status).toBe(404);
      expect(answer.raw.length).toBeLessThan(4096);
    }
  });

  const TERM = "year=2024&quarter=Fall&cacheOnly=true";
  it.each([
    [`/schedule?${TERM}&department=CS`, "CS", ". Did you mean COMPSCI?"],
    ["/grades/raw?department=CS", "CS", ". Did you mean COMPSCI?"],
    ["/grades/options?department=ICS", "ICS", ". Did you mean I&C SCI?"],
    ["/courses?department=compsic", "COMPSIC", ". Did you mean COMPSCI?"],
    ["/enrollmentHistory?department=CS", "CS", ". Did you mean COMPSCI?"],
    ["/courses?department=criminology", "CRIMINOLOGY", ". Did you mean CRM/LAW?"],
    ["/courses?department=XQZZV", "XQZZV", ""],
    ["/courses?department=%22%0D%0Aé", "%22%C3%89", ""],
    [`/courses?department=${"x".repeat(5000)}`, "X".repeat(60), ""],
  ])("%s warns of a department that nobody knows, and is answered", async (path, shown, meant) => {
    for (const headers of [{}, STRICT, { "If-None-Match": "*" }] as Record<string, string>[]) {
      const answer = await at(path, headers);
      expect(answer.status).toBe("If-None-Match" in headers ? 304 : 200);
      expect(answer.headers.warning).toBe(`299 - "unknown department ${shown}${meant}"`);
    }
  });

  it.each([
    `/schedule?${TERM}&department=i%26csci`,
    `/schedule?${TERM}&department=ALL`,
    `/schedule?${TERM}&department=`,
    // Only courses, only grades, only the history of enrolment know them.
    "/grades/raw?department=OLDDEP",
    "/courses?department=sheets",
    "/grades/raw?department=Seen",
    "/instructors?department=CS",
  ])("%s does not", async (path) => {
    expect((await at(path)).headers.warning ?? "").not.toContain("unknown department");
  });

  it("both warnings stand in one header, again and again", async () => {
    for (let round = 0; round < 3; round++)
      expect((await at("/courses?department=CS&prof=x")).headers.warning).toBe(
        '299 - "unknown parameter prof ignored. Did you mean taughtByInstructors?", 299 - "unknown department CS. Did you mean COMPSCI?"',
      );
  });

  it.each(["/grades/raw?sectionCode=5000", "/enrollmentHistory?sectionCode=5000"])(
    "%s is a 400 that suggests 05000",
    async (path) => {
      const answer = await at(path);
      expect([answer.status, messageOf(answer)]).toEqual([
        400,
        'Invalid sectionCode provided: "5000" (allowed: a section code of five digits). Did you mean 05000?',
      ]);
    },
  );
});
