/** Requests as class planners send them, character by character, and what those planners read from the answers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import type { Schedule } from "../../../../server/response/shapes/schedule.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";
import { CACHE_STATUS } from "../../../../server/response/headers.ts";

type Tree = (typeof Schedule)["_output"];

const computing = { schoolName: "School of Computing", deptCode: "COMPSCI" };
const seats = (totalEnrolled: string, maxCapacity: string, status: string) => ({
  maxCapacity,
  status,
  numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled: "" },
});
const rows: Partial<Section>[] = [
  { ...computing, courseNumber: "143A", sectionCode: "34160", meetings: [tba("ON LINE")], geCategories: ["GE-2"] },
  {
    ...computing,
    courseNumber: "161",
    courseTitle: "DES&ANALYS OF ALGOR",
    sectionCode: "34250",
    instructors: ["SHINDERA, M."],
    meetings: [meeting("TuTh", "15:30", "16:50", "ALP 1300")],
    ...seats("251", "250", "FULL"),
  },
  {
    ...computing,
    courseNumber: "161",
    courseTitle: "DES&ANALYS OF ALGOR",
    sectionCode: "34251",
    sectionType: "Dis",
    units: "0",
    instructors: ["CHEVIOT, A.", "SHINDERA, M."],
    meetings: [meeting("F", "9:00", "9:50", "ALP 1300")],
  },
  {
    ...computing,
    courseNumber: "162",
    sectionCode: "34270",
    instructors: ["SHINDERA, N."],
    meetings: [meeting("MWF", "10:00", "10:50", "ALP 2300")],
    ...seats("10", "249", "OPEN"),
  },
  { deptCode: "DANCE", courseNumber: "3", sectionCode: "10000", geCategories: ["GE-2", "GE-4"] },
  // What a saved schedule of a whole year's plans may hold.
  ...Array.from({ length: 70 }, (_, i) => ({
    deptCode: "MATH",
    courseNumber: String(i + 1),
    sectionCode: String(44_000 + 10 * i),
  })),
];

describe("requests of real clients", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    folder = await openFolder();
    const sections = rows.map((change) => sectionRow(change));
    await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) });
    server = await serve(folder.env);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });

  async function ask(query: string): Promise<{ codes: string[]; tree: Tree; warning: string | null }> {
    const response = await server.get(`/schedule?${query}`, { headers: { Referer: "https://planner.example.edu/" } });
    const text = await response.text();
    expect({ query, status: response.status, text }).toMatchObject({ query, status: 200 });
    expect(response.headers.get("cache-status")).toBe(CACHE_STATUS.hit);
    const codes = [...text.matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code = ""]) => code);
    return { codes, tree: JSON.parse(text) as Tree, warning: response.headers.get("warning") };
  }

  it("a planner's search: every field of its form, most of them empty, and one that we do not know", async () => {
    const { codes, warning } = await ask(
      "department=COMPSCI&ge=ANY&courseNumber=&sectionCodes=&instructorName=&units=&fullCourses=ANY&building=&room=" +
        "&excludeRestrictionCodes=&modality=&quarter=Fall&year=2024",
    );
    expect(codes).toEqual(["34160", "34250", "34251", "34270"]);
    // Nothing of ours resembles it: nothing is suggested (server/RULES.md, HTTP).
    expect(warning).toBe(
      '299 - "unknown parameter modality ignored: the response is not filtered by it. Did you mean building?"',
    );
  });

  it("its search by category", async () => {
    const { codes } = await ask(
      "department=ALL&ge=GE-2&courseNumber=&sectionCodes=&instructorName=&units=&fullCourses=ANY&building=&room=" +
        "&excludeRestrictionCodes=&quarter=Fall&year=2024",
    );
    expect(codes).toEqual(["10000", "34160"]);
  });

  it("its advanced search", async () => {
    const form = "department=COMPSCI&ge=ANY&courseNumber=&sectionCodes=&instructorName=&units=&quarter=Fall&year=2024";
    expect((await ask(`${form}&startTime=9:00am&endTime=5:00pm&division=UpperDiv`)).codes).toEqual([
      "34250",
      "34251",
      "34270",
    ]);
    expect((await ask(`${form}&startTime=9:00am&endTime=5:00pm&division=UpperDiv&building=ON`)).codes).toEqual([]);
    expect((await ask(`${form}&building=ON`)).codes).toEqual(["34160"]);
    expect((await ask(`${form}&building=ALP&room=1300`)).codes).toEqual(["34250", "34251"]);
    expect((await ask(`${form}&fullCourses=Overenrolled`)).codes).toEqual(["34250"]);
    expect((await ask(`${form}&fullCourses=SkipFullWaitlist`)).codes).toEqual(["34160", "34251", "34270"]);
    for (const time of ["1:00am", "12:00pm", "11:00pm"]) await ask(`${form}&startTime=${time}`);
  });

  it("its list of units: one request for each, merged by the client", async () => {
    expect((await ask("department=COMPSCI&units=0&quarter=Fall&year=2024")).codes).toEqual(["34251"]);
    expect((await ask("department=COMPSCI&units=4,0&quarter=Fall&year=2024")).codes).toEqual([
      "34160",
      "34250",
      "34251",
      "34270",
    ]);
    expect((await ask("department=COMPSCI&units=VAR&quarter=Fall&year=2024")).codes).toEqual([]);
  });

  it("a saved schedule: dozens of section codes and nothing else", async () => {
    const saved = Array.from({ length: 66 }, (_, i) => String(44_000 + 10 * i)).concat("34160", "34161");
    for (const list of [saved.join(","), saved.join("%2C")]) {
      const { codes } = await ask(`sectionCodes=${list}&quarter=Fall&year=2024`);
      expect(codes.sort()).toEqual(saved.filter((code) => code !== "34161").sort());
    }
  });

  it('a category\'s co-courses, refilled course by course: the course is "schools[0].departments[0].courses[0]"', async () => {
    const { tree } = await ask(
      "department=COMPSCI&ge=ANY&courseNumber=161&courseTitle=DES%26ANALYS+OF+ALGOR&quarter=Fall&year=2024",
    );
    const course = tree.schools[0]?.departments[0]?.courses[0];
    expect(course).toMatchObject({ deptCode: "COMPSCI", courseNumber: "161", courseTitle: "DES&ANALYS OF ALGOR" });
    expect(course?.sections.map(({ sectionType }) => sectionType)).toEqual(["Lec", "Dis"]);
  });

  it("a course page's schedule, and an instructor's by the full shortened name", async () => {
    expect((await ask("year=2024&quarter=Fall&department=COMPSCI&courseNumber=161")).codes).toEqual(["34250", "34251"]);
    expect((await ask("year=2024&quarter=Fall&instructorName=SHINDERA%2C+M.")).codes).toEqual(["34250", "34251"]);
    expect((await ask("year=2024&quarter=Fall&instructorName=SHINDERA%2C%20M.")).codes).toEqual(["34250", "34251"]);
    expect((await ask("year=2024&quarter=Fall&instructorName=shindera%2C")).codes).toEqual(["34250", "34251", "34270"]);
  });

  it("a sample of the reference: one section, with all that a table of sections shows", async () => {
    const { tree } = await ask("year=2024&quarter=Fall&sectionCodes=34250");
    const section = tree.schools[0]?.departments[0]?.courses[0]?.sections[0];
    expect(section?.meetings[0]).toEqual({
      timeIsTBA: false,
      bldg: ["ALP 1300"],
      days: "TuTh",
      startTime: { hour: 15, minute: 30 },
      endTime: { hour: 16, minute: 50 },
    });
    expect(section).toMatchObject({ status: "FULL", maxCapacity: "250", numOnWaitlist: "", numNewOnlyReserved: "" });
  });

  it("clients of the predecessor, unchanged: its path and its envelope", async () => {
    const compat = await serve({ ...folder.env, COMPAT: "1" });
    try {
      const body = await compat.json<{ statusCode: number; success: boolean; payload: Tree }>(
        "/websoc?department=COMPSCI&ge=ANY&courseNumber=161&sectionCodes=&quarter=Fall&year=2024",
      );
      expect(body).toMatchObject({ statusCode: 200, success: true });
      expect(body.payload).toEqual((await ask("department=COMPSCI&courseNumber=161&quarter=Fall&year=2024")).tree);
    } finally {
      await compat.close();
    }
  });
});
