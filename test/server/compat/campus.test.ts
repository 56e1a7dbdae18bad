/** COMPAT=1 over the whole sample campus: every course and every person, field by field; and questions that go to the upstream itself. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSample } from "../../support/sample-build.ts";
import { serve } from "../../support/whole-run.ts";
import { CACHE_STATUS } from "../../../server/response/headers.ts";

type Json = Record<string, unknown>;
type Node = string | { [word: string]: Node[] };
interface CompatLeaf {
  prereqType: "course" | "exam";
  courseId?: string;
  examName?: string;
}
type CompatNode = CompatLeaf | { [word: string]: CompatNode[] };
const isLeaf = (node: CompatNode): node is CompatLeaf => "prereqType" in node;
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

let compat: Awaited<ReturnType<typeof serve>>;
let plain: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  const { env } = await openSample();
  compat = await serve({ ...env, COMPAT: "1" });
  plain = await serve(env);
}, 600_000);
afterAll(async () => {
  await compat?.close();
  await plain?.close();
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
  /** Without exclusions, grades and corequisites: what the specification's tree says. */
  const plainTree = (node: CompatNode): Node | undefined => {
    if (isLeaf(node)) return node.prereqType === "exam" ? node.examName : node.courseId;
    const [word = "", items = []] = Object.entries(node)[0] ?? [];
    const left = word === "NOT" ? [] : items.map(plainTree).filter((item) => item !== undefined);
    return left.length > 0 ? { [word]: left } : undefined;
  };

  for (const [i, course] of courses.body.entries()) {
    const { geList, prerequisiteTree, ...rest } = courses.payload[i] as {
      geList: string[];
      prerequisiteTree: CompatNode;
    };
    expect(plainTree(prerequisiteTree) ?? {}).toEqual(course.prerequisiteTree);
    expect(rest).toEqual({
      ...Object.fromEntries(Object.entries(course).filter(([name]) => !["geList", "prerequisiteTree"].includes(name))),
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
    '"minGrade":"C"',
    '"minGrade":"4"',
    '"coreq":true',
    '{"NOT":[{"prereqType":"course"',
    '{"NOT":[{"prereqType":"exam"',
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
      expect([cached, live].map(({ headers }) => headers.get("cache-status"))).toEqual([
        CACHE_STATUS.hit,
        CACHE_STATUS.bypass,
      ]);
      const found = restrictionsIn(await cached.text());
      expect(restrictionsIn(await live.text())).toEqual(found);
      expect(found.some((codes) => codes.split(/ and | or /).some((code) => excluded.includes(code)))).toBe(false);
    }
});
