/** COMPAT=1 over the whole sample campus: every course and every person, field by field; and questions that go to the upstream itself. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFolder, run, serve } from "../../../support/whole-run.ts";

type Json = Record<string, unknown>;
type Node = string | { [word: string]: Node[] };
interface PlainCourse extends Json {
  id: string;
  department: string;
  courseNumber: string;
  title: string;
  prerequisiteTree: Node;
  prerequisiteList: string[];
  prerequisiteFor: string[];
  instructorHistory: string[];
  geList: string[];
}
interface PlainPerson extends Json {
  netid: string;
  name: string;
  shortenedName: string;
  courseHistory: Record<string, string[]>;
}

let folder: Awaited<ReturnType<typeof openFolder>>;
let compat: Awaited<ReturnType<typeof serve>>;
let plain: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openFolder();
  await run({ ...folder.env, TERMS: "2026 Spring" });
  compat = await serve({ ...folder.env, COMPAT: "1" });
  plain = await serve(folder.env);
});
afterAll(async () => {
  await compat?.close();
  await plain?.close();
  await folder?.remove();
});

async function both<T>(path: string): Promise<{ payload: Json[]; body: T[] }> {
  return { payload: (await compat.json<{ payload: Json[] }>(path)).payload, body: await plain.json<T[]>(path) };
}

it("previews, leaves and names of every course and person are what the specification's fields name", async () => {
  const courses = await both<PlainCourse>("/courses/all");
  const people = await both<PlainPerson>("/instructors/all");
  const courseBy = new Map(
    courses.body.map(({ id, department, courseNumber, title }) => [
      `${department} ${courseNumber}`,
      { id, department, courseNumber, title },
    ]),
  );
  const personBy = new Map(
    people.body.map(({ netid, name, shortenedName }) => [netid, { ucinetid: netid, name, shortenedName }]),
  );
  const previews = (names: readonly string[]) => names.flatMap((name) => courseBy.get(name) ?? []);
  const leaf = (node: Node): unknown =>
    typeof node !== "string"
      ? Object.fromEntries(Object.entries(node).map(([word, items]) => [word, items.map(leaf)]))
      : node.startsWith("AP ")
        ? { prereqType: "exam", examName: node }
        : { prereqType: "course", coreq: false, courseId: node };

  for (const [i, course] of courses.body.entries()) {
    const { geList, ...rest } = courses.payload[i] as { geList: string[] };
    expect(rest).toEqual({
      ...Object.fromEntries(Object.entries(course).filter(([name]) => name !== "geList")),
      prerequisiteTree: leaf(course.prerequisiteTree),
      instructors: course.instructorHistory.flatMap((netid) => personBy.get(netid) ?? []),
      prerequisites: previews(course.prerequisiteList),
      dependencies: previews(course.prerequisiteFor),
    });
    expect(geList).toHaveLength(course.geList.length);
    for (const name of geList) expect(name).toMatch(/^GE (I|II|III|IV|V|VI|VII|VIII)[ab]?: \w/);
  }
  for (const [i, person] of people.body.entries())
    expect(people.payload[i]).toEqual({
      ...person,
      ucinetid: person.netid,
      courses: previews(Object.keys(person.courseHistory)),
    });
  const text = JSON.stringify([courses.payload, people.payload]);
  for (const shown of [
    '"examName":"AP ',
    '"prerequisites":[{',
    '"dependencies":[{',
    '"instructors":[{',
    '"courses":[{',
  ])
    expect(text).toContain(shown);
});

const restrictionsIn = (text: string): string[] =>
  [...text.matchAll(/"restrictions":"([^"]*)"/g)].map(([, r = ""]) => r);

it("excludeRestrictionCodes leaves out the same sections whether the published term or the upstream answers", async () => {
  const question = "/schedule?year=2026&quarter=Spring&ge=ANY&department=COMPSCI";
  const letters = [
    ...new Set(restrictionsIn(await (await plain.get(question)).text()).flatMap((r) => r.match(/\b[A-Z]\b/g) ?? [])),
  ];
  expect(letters.length).toBeGreaterThan(1);
  for (const server of [plain, compat])
    for (const excluded of [letters.slice(0, 1), letters.slice(0, 2), ["Z"]]) {
      const asked = `${question}&excludeRestrictionCodes=${excluded.join(",")}`;
      const [cached, live] = await Promise.all([server.get(asked), server.get(`${asked}&cache=false`)]);
      expect([cached, live].map(({ headers }) => headers.get("x-cache"))).toEqual(["HIT", "BYPASS"]);
      const found = restrictionsIn(await cached.text());
      expect(restrictionsIn(await live.text())).toEqual(found);
      expect(found.some((codes) => codes.split(/ and | or /).some((code) => excluded.includes(code)))).toBe(false);
    }
});
