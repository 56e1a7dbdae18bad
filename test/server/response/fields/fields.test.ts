/** `fields` on every endpoint (server/RULES.md, HTTP), with COMPAT=1 too. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { openExplainWorld, requestTo } from "../explain/explain-world.ts";
import { namesOf, plainFields } from "./plain-fields.ts";

let folder: Awaited<ReturnType<typeof openExplainWorld>>;
let app: OpenedApp;
let compat: OpenedApp;
beforeAll(async () => {
  folder = await openExplainWorld();
  app = await openApp(folder.artifacts);
  compat = await openApp(folder.artifacts, undefined, { compat: true });
});
afterAll(async () => {
  await app?.close();
  await compat?.close();
  await folder?.remove();
});

const withFields = (address: string, fields: string) =>
  `${address}${address.includes("?") ? "&" : "?"}fields=${encodeURIComponent(fields)}`;
const json = async (address: string) => (await (await app.get(address)).json()) as never;
const refusal = async (address: string, init?: RequestInit): Promise<string> => {
  const response = await app.get(address, init);
  expect(response.status).toBe(400);
  return ((await response.json()) as { message: string }).message;
};
const TERM = "/schedule?year=2024&quarter=Fall&cacheOnly=true";

describe.each(endpoints.map(({ path }) => path))("%s", (path) => {
  it.each(["plain", "COMPAT=1"])("has some of its fields where they are asked for (%s)", async (mode) => {
    const asked = mode === "plain" ? app : compat;
    const read = async (address: string) => {
      const response = await asked.get(address);
      const body = (await response.json()) as { payload?: unknown; message?: string };
      expect([response.status, body.message]).toEqual([200, undefined]);
      return { body: mode === "plain" ? body : body.payload, response };
    };
    for (const [i, { address }] of fc.sample(requestTo(path), { numRuns: 4, seed: 1 }).entries()) {
      const whole = await read(address);
      const names = namesOf(whole.body);
      if (names.length === 0) continue;
      for (const wanted of fc.sample(fc.subarray(names, { minLength: 1, maxLength: Math.min(4, names.length) }), {
        numRuns: 3,
        seed: i,
      })) {
        const some = await read(withFields(address, wanted.join(",")));
        expect(some.body).toEqual(plainFields(whole.body, wanted));
        for (const name of ["x-total-count", "x-data-snapshot", "last-modified"])
          expect(some.response.headers.get(name)).toBe(whole.response.headers.get(name));
      }
    }
  });
});

describe("fields", () => {
  it("of a schedule, by the ends of their names", async () => {
    const whole = await json(TERM);
    const long = "schools.departments.courses.sections.sectionCode";
    expect(await json(withFields(TERM, "sectionCode,sections.finalExam.month"))).toEqual(
      plainFields(whole, [long, "schools.departments.courses.sections.finalExam.month"]),
    );
    const tag = async (fields: string) => (await app.get(withFields(TERM, fields))).headers.get("etag");
    expect(await tag("sectionCode")).toBe(await tag(long));
    expect(await tag("sections,sectionCode")).toBe(await tag("sections"));
    expect(await tag("sectionCode")).not.toBe(await tag("status"));
    expect(await tag("sectionCode")).not.toBe((await app.get(TERM)).headers.get("etag"));
  });

  it("of a page, of an earlier snapshot, and 304", async () => {
    const address = "/courses?limit=2&offset=1";
    const some = await app.get(withFields(address, "id,title"));
    expect(await some.json()).toEqual(plainFields(await json(address), ["id", "title"]));
    expect(some.headers.get("link")).toContain("fields=id");
    const again = { headers: { "if-none-match": some.headers.get("etag") ?? "" } };
    expect((await app.get(withFields(address, "title, id"), again)).status).toBe(304);
    expect((await app.get(withFields(address, "title"), again)).status).toBe(200);
    const earlier = "/courses?asOf=2026-10-06";
    expect(await json(withFields(earlier, "id"))).toEqual(plainFields(await json(earlier), ["id"]));
  });

  it("are told by an explanation, whose statement gives all", async () => {
    const { request, sql } = await json(`${withFields(TERM, "sectionCode")}&explain=true`);
    expect(request).toMatchObject({ fields: ["schools.departments.courses.sections.sectionCode"] });
    expect((request as { url: string }).url).toContain("fields=sectionCode");
    expect(sql).toContain("SELECT * FROM schedule");
  });

  it("what is keyed by data comes as a whole", async () => {
    const whole = await json("/instructors");
    expect(await json(withFields("/instructors", "netid,courseHistory"))).toEqual(
      plainFields(whole, ["netid", "courseHistory"]),
    );
  });
});

describe("a 400", () => {
  it.each([
    [
      "/courses",
      "titel",
      'Invalid fields provided: "titel" (allowed: fields of the response, such as id,department). Did you mean title?',
    ],
    ["/courses", "id,Title", "Did you mean title?"],
    ["/courses", "xyzzy", '"xyzzy" (allowed: fields of the response, such as id,department)'],
    ["/courses", "requirementTree", "(allowed: fields of the response"],
    ["/instructors", "courseHistory.DANCE 10", "Did you mean courseHistory?"],
    ["/courses", "prerequisiteTree.AND", "Did you mean prerequisiteTree?"],
    [TERM, "sectionCod", "Did you mean sectionCode?"],
    [
      TERM,
      "schools.departments.courses.sections.sectioncode",
      "Did you mean schools.departments.courses.sections.sectionCode?",
    ],
    [TERM, "sections.finalExam.mont", "Did you mean sections.finalExam.month?"],
    [
      TERM,
      "deptCode",
      '"deptCode" (allowed: a name that means one field of the response). Did you mean schools.departments.deptCode or schools.departments.courses.deptCode?',
    ],
  ])("%s %s", async (address, fields, message) => {
    expect(await refusal(withFields(address, fields))).toContain(message);
  });

  it("in other formats", async () => {
    const message = "fields cannot be given with the format csv: they are those of JSON";
    expect(await refusal("/courses?fields=id&format=csv")).toBe(message);
    expect(await refusal("/courses?fields=id", { headers: { accept: "text/csv" } })).toBe(message);
    expect(await refusal("/changes?fields=kind&format=atom")).toContain("the format atom");
  });

  it("is for a further field without COMPAT=1 only", async () => {
    expect(await refusal("/instructors?fields=ucinetid")).toContain("allowed: fields of the response");
    expect((await compat.get("/instructors?fields=ucinetid,courses.id")).status).toBe(200);
  });
});
