/** Pages without what they should list, and the catalogue's notations. */
import { describe, expect, test } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { parseCalendarIndex, parseCalendarPage } from "../../../pipeline/parse/calendar-html.ts";
import { parseCatalogueDepartment, parseCatalogueIndex } from "../../../pipeline/parse/catalogue-html.ts";
import { parsePrerequisiteForm } from "../../../pipeline/parse/prerequisites-html.ts";
import { parseSchoolsIndex } from "../../../pipeline/parse/schools-html.ts";

const page = (body: string) =>
  `<!DOCTYPE html>\n<html><head><title>Page</title></head>\n<body>\n${body}\n</body>\n</html>\n`;
const row = (label: string, ...cells: string[]) =>
  `<tr><td>${label}</td>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
const table = (terms: string[], ...cells: string[]) =>
  `<table class="calendartable">${row("", ...terms)}${row("Instruction begins", ...cells)}${row("Instruction ends", ...cells)}${row("Final examinations", ...cells)}</table>`;

describe("shape checks", () => {
  test("an index of calendars may be any page: without links it lists none", () => {
    expect(parseCalendarIndex(page("<h1>Academic Calendars</h1>"))).toEqual([]);
  });

  test.each([
    ["catalogue index", parseCatalogueIndex, '<div id="atozindex"></div>'],
    [
      "a title without a code",
      parseCatalogueDepartment,
      '<h1 class="page-title">M</h1><div id="courseinventorycontainer"></div>',
    ],
    ["schools", parseSchoolsIndex, '<div id="textcontainer"></div>'],
    ["prerequisite form", parsePrerequisiteForm, '<select name="dept"><option value="">Select</option></select>'],
    ["calendar", parseCalendarPage, '<table class="calendartable"></table>'],
    ["a calendar without headings", parseCalendarPage, table([], "Sep 28", "Jan 8", "Apr 1")],
  ])("%s: an empty list is a bad answer", (_, parse, body) => {
    expect(() => parse(page(body))).toThrow(UpstreamBadResponse);
  });
});

describe("catalogue", () => {
  const inventory = (blocks: string) =>
    parseCatalogueDepartment(
      page(
        `<h1 class="page-title">Physics (and more) (PHY&amp;X)</h1><div id="courseinventorycontainer">${blocks}</div>`,
      ),
    );
  const classic = (title: string, ...paragraphs: string[]) =>
    `<div class="courseblock"><p class="courseblocktitle"><strong>${title}</strong></p><div class="courseblockdesc">${paragraphs.map((p) => `<p>${p}</p>`).join("\n")}</div></div>`;

  test("the page's title names department and code; a bracket in the name is the name's", () => {
    expect(inventory(classic("PHY&amp;X 1.  A.  4 Units."))).toMatchObject({
      code: "PHY&X",
      name: "Physics (and more)",
    });
  });

  test.each([
    [
      "I&amp;C&nbsp;SCI&nbsp;46.  Data Structures.  4 Units.",
      { code: "I&C SCI 46", title: "Data Structures", hours: "4 Units" },
    ],
    ["CRM/LAW&nbsp;C7.  Law.  1-4 Units.", { code: "CRM/LAW C7", title: "Law", hours: "1-4 Units" }],
    ["STATS&nbsp;280.  Seminar.  .5 Units.", { code: "STATS 280", title: "Seminar", hours: ".5 Units" }],
    ["MATH&nbsp;1.  One.  1.3 Units.", { code: "MATH 1", title: "One", hours: "1.3 Units" }],
    ["MATH&nbsp;2.  Two.  1 Unit.", { code: "MATH 2", title: "Two", hours: "1 Unit" }],
    ["MATH&nbsp;8.  Waves and  Heat .  4 Units.", { code: "MATH 8", title: "Waves and Heat", hours: "4 Units" }],
    [
      "MATH 10.  Lines\n\tand&nbsp; &nbsp;Ends.  4 Units.",
      { code: "MATH 10", title: "Lines and Ends", hours: "4 Units" },
    ],
    ["MATH 11.  Bridges.  4 Units.  2 Workload Units.", { code: "MATH 11", title: "Bridges", hours: "4 Units" }],
    ["MATH 12.  Bridges.  2 Workload Units.  1-4 Units.", { code: "MATH 12", title: "Bridges", hours: "1-4 Units" }],
    ["MATH 13.  Bridges.  2 Workload Units.", { code: "MATH 13", title: "Bridges", hours: "2 Workload Units" }],
    ["MATH 14.  Research.  1–4 Units.", { code: "MATH 14", title: "Research", hours: "1–4 Units" }],
    ["MATH 15.  Research.  1 to 4 Units .", { code: "MATH 15", title: "Research", hours: "1 to 4 Units" }],
    ["MATH 16.  Research.  1, 2, or 4 Units.", { code: "MATH 16", title: "Research", hours: "1, 2, or 4 Units" }],
    ["MATH 17A-B-C.  Series.  4-4-4 Units.", { code: "MATH 17A-B-C", title: "Series", hours: "4-4-4 Units" }],
    ["MATH 18.  Since 1945.  4 Units, 2 Workload Units.", { code: "MATH 18", title: "Since 1945", hours: "4 Units" }],
    ["MATH&nbsp;9.  Nothing to Earn&nbsp; .", { code: "MATH 9", title: "Nothing to Earn", hours: "" }],
    ["MATH&nbsp;3.  Nothing to Earn.", { code: "MATH 3", title: "Nothing to Earn", hours: "" }],
    ["MATH&nbsp;4.  What Is Life?.  4 Units.", { code: "MATH 4", title: "What Is Life?", hours: "4 Units" }],
    [
      "MATH&nbsp;5.  U.S. History. Part 2.  4 Units.",
      { code: "MATH 5", title: "U.S. History. Part 2", hours: "4 Units" },
    ],
    ["MATH 6. One blank only. 4 Units.", { code: "MATH 6", title: "One blank only", hours: "4 Units" }],
    [
      "MATH H7LD.  With 4 Units of Work.  2 Units.",
      { code: "MATH H7LD", title: "With 4 Units of Work", hours: "2 Units" },
    ],
  ])("title line %s", (line, expected) => {
    expect(inventory(classic(line)).courses[0]).toMatchObject(expected);
  });

  test("first paragraph = description, then labelled lines, several in a paragraph with <br>", () => {
    const [course] = inventory(
      classic(
        "A 1.  T.  4 Units.",
        "About  &lt;this&gt;.\n  And that.",
        "Same as B 2.<br />\nRestriction:  Few&nbsp;\nof  them.",
        "(II, Va)",
      ),
    ).courses;
    expect(course).toMatchObject({
      description: "About <this>. And that.",
      details: ["Same as B 2.", "Restriction: Few of them.", "(II, Va)"],
    });
  });

  test("an empty description, and none at all", () => {
    const [empty, none] = inventory(
      classic("A 1.  T.", "", "Same as B 2.") + classic("A 2.  T.", "Repeatability: Twice.", "Same as B 2."),
    ).courses;
    expect(empty).toMatchObject({ description: "", details: ["Same as B 2."] });
    expect(none).toMatchObject({ description: "", details: ["Repeatability: Twice.", "Same as B 2."] });
  });

  test.each([
    "(II, Va)",
    "(GE II or GE IV)",
    "((III))",
    "Same as B 2.",
    "Overlaps with I&amp;C SCI H32.",
    "Restrictions: Few.",
  ])("no description begins with %s, and no line of one", (line) => {
    const details = [line.replace("&amp;", "&")];
    const { courses } = inventory(classic("A 1.  T.", line) + classic("A 2.  T.", `About.<br/>${line}`));
    expect(courses).toMatchObject([
      { description: "", details },
      { description: "About.", details },
    ]);
  });

  test.each(["Same as ever, with songs.", "(IV drips and nerves.)", "(General Education is not fulfilled.)"])(
    "a description may begin with %s",
    (description) => {
      expect(inventory(classic("A 1.  T.", description)).courses).toMatchObject([{ description, details: [] }]);
    },
  );

  test.each([
    ["gened", "II, Va", "(II, Va)"],
    ["gened", "GE II", "(GE II)"],
    ["restrictions", "Restrictions: Few.", "Restrictions: Few."],
  ])("since 2025, the text of %s may be %s", (name, text, line) => {
    const block = `<div class="courseblock"><span class="detail-code">A 1.</span><span class="detail-hours_html">1–4 Units</span><span class="detail-${name}">${text}</span></div>`;
    expect(inventory(block).courses).toMatchObject([{ hours: "1–4 Units", details: [line] }]);
  });

  test("since 2025 the label may be in bold or only in the class", () => {
    const [course] = inventory(
      '<div class="courseblock"><span class="text detail-code"><strong>A&nbsp;1.</strong></span><span class="text detail-title"><strong>T.</strong></span><span class="text detail-hours_html"><strong>0 Units. 2 Workload Units.</strong></span><div class="courseblockextra">About.</div><span class="text detail-same_as"><strong>Same as</strong> B 2.</span><span class="text detail-restrictions">Few.</span><span class="text detail-gened">(Ib)</span></div>',
    ).courses;
    expect(course).toEqual({
      code: "A 1",
      title: "T",
      hours: "0 Units",
      description: "About.",
      details: ["Same as B 2.", "Restriction: Few.", "(Ib)"],
    });
  });

  test("blanks before a title's full stop go, since 2025 too", () => {
    const [course] = inventory(
      '<div class="courseblock"><span class="detail-code">A&nbsp;1.</span><span class="detail-title">Waves and Heat .</span></div>',
    ).courses;
    expect(course).toMatchObject({ code: "A 1", title: "Waves and Heat" });
  });

  test.each([
    ["an empty inventory", '<div id="courseinventorycontainer"></div>'],
    ["an inventory that says so", '<div id="courseinventorycontainer"><p>No courses are offered.</p></div>'],
    ["no inventory", "<p>No courses are offered.</p>"],
  ])("a department without courses is no damage: %s", (_, body) => {
    const html = page(`<h1 class="page-title">Mathematics (MATH)</h1>${body}`);
    expect(parseCatalogueDepartment(html)).toEqual({ code: "MATH", name: "Mathematics", courses: [], unreadable: [] });
    expect(() => parseCatalogueDepartment(html.slice(0, -20))).toThrow(UpstreamBadResponse);
  });

  test("a block without a readable title is named, the others come out", () => {
    const { courses, unreadable } = inventory(`${classic("Nonsense")}${classic("A 1.  T.")}`);
    expect([courses.length, unreadable]).toEqual([1, ["Nonsense"]]);
  });
});
