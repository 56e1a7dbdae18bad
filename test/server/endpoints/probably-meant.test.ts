/** Ids, section codes and departments that nobody knows, and what was probably meant, on a campus with names to mix up. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { historyRow, periodRows } from "../response/representations/history-row.ts";
import { publishRows } from "../../support/published/published.ts";
import { rows } from "../search/search-campus.ts";
import { ask } from "../http/wire.ts";

const STRICT = { Prefer: "handling=strict" };
const messageOf = (answer: { json<T>(): T }) => answer.json<{ message: string }>().message;

let folder: Awaited<ReturnType<typeof openFolder>>;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, {
    ...rows,
    grades: [
      gradeRow({
        ...{ sectionCode: "10000", department: "SHEETS" },
        instructors: ["OSTERWICK, Q.", "OSTERWICK, T.", "VELUDROS, M.", "ÅSE, Ö."],
      }),
    ],
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
    const isKnown = "If-None-Match" in headers;
    expect(answer.status).toBe(isKnown ? 304 : 200);
    expect(answer.headers.warning).toBe(isKnown ? undefined : `299 - "unknown department ${shown}${meant}"`);
  }
});

it.each(["/courses", "/grades/raw", "/changes", "/enrollmentHistory"])(
  "%s warns of the name of a course as a number, also beside a number",
  async (path) => {
    const said =
      '299 - "courseNumber i%26c%20sci%2046 is the name of a course: use courseNumber 46 and department i%26c%20sci"';
    for (const numbers of ["i%26c%20sci%2046", "161,i%26c%20sci%20%2046"])
      expect((await at(`${path}?courseNumber=${numbers}`)).headers.warning?.replace("%20%20", "%20")).toBe(said);
    expect((await at(`${path}?courseNumber=161,46`)).headers.warning).toBeUndefined();
  },
);

it("of several departments each one that nobody knows is named, also when there are courses of others", async () => {
  const answer = await at("/courses?department=COMPSCI,CS,XQZZV");
  expect(answer.headers.warning).toBe(
    '299 - "unknown department CS. Did you mean COMPSCI?", 299 - "unknown department XQZZV"',
  );
  expect(answer.json<unknown[]>().length).toBeGreaterThan(0);
  const many = await at(`/grades/raw?department=${Array.from({ length: 300 }, (_, n) => `XQ${n}Z`).join()}`);
  expect(many.headers.warning?.match(/299 - /g)).toHaveLength(6);
  expect(many.headers.warning).toMatch(/299 - "295 more of department are unknown"$/);
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

it.each([
  ["raw", "OSTERWICK", ". Did you mean OSTERWICK, Q. or OSTERWICK, T.?"],
  ["aggregate", "Quillon Osterwick", ". Did you mean OSTERWICK, Q.?"],
  ["options", "tosterwi", ". Did you mean OSTERWICK, T.?"],
  ["aggregateByCourse", "VELUDRO, M.", ". Did you mean VELUDROS, M.?"],
  ["aggregateByOffering", "nobody", ""],
  ["raw", "x".repeat(5000), ""],
  ["raw", "ase, ö", ". Did you mean %C3%85SE, %C3%96.?"],
])("/grades/%s warns of an instructor %s that nobody knows, and is answered", async (view, name, meant) => {
  const answer = await at(`/grades/${view}?instructor=${encodeURIComponent(name)}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.warning).toBe(`299 - "unknown instructor ${encodeURIComponent(name).slice(0, 60)}${meant}"`);
});

it.each(["osterwick, q.", "ase, o.", "", "Veludros, M."])("says nothing of %o", async (name) => {
  for (const more of ["", "&year=1999"])
    expect((await at(`/grades/raw?instructor=${encodeURIComponent(name)}${more}`)).headers.warning).toBeUndefined();
});

it("the history of enrollment warns too", async () => {
  const known = await at("/enrollmentHistory?year=1999&instructor=osterwick,%20t.");
  expect(known.headers.warning).toBeUndefined();
  const { headers } = await at("/enrollmentHistory?instructor=Osterwik,%20T.");
  expect(headers.warning).toBe('299 - "unknown instructor Osterwik%2C%20T.. Did you mean OSTERWICK, T.?"');
});

it("both warnings stand in one header, again and again", async () => {
  for (let round = 0; round < 3; round++)
    expect((await at("/courses?department=CS&prof=x")).headers.warning).toBe(
      '299 - "unknown parameter prof ignored: the response is not filtered by it. Did you mean taughtByInstructors?", 299 - "unknown department CS. Did you mean COMPSCI?"',
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
