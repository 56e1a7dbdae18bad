/** The pages of prerequisites and tutorials: what their rows and headings are read as. */
import { expect, test } from "vitest";
import { parseLarcPage } from "../../../pipeline/parse/larc-html.ts";
import { parsePrerequisiteTable } from "../../../pipeline/parse/prerequisites-html.ts";

const page = (body: string) =>
  `<!DOCTYPE html>\n<html><head><title>Page</title></head>\n<body>\n${body}\n</body>\n</html>\n`;

test("prerequisite rows have exactly three cells; a break in a cell is a blank", () => {
  const html = page(
    "<table><tr><th>Course</th><th>T</th><th>P</th></tr><tr><td colspan=3>MATH</td></tr><tr><td> MATH 2B </td><td>B</td><td>( MATH 2A<br>OR MATH&nbsp;5A )<br>\nAND MATH 1</td></tr><tr><td>MATH 3</td><td>C</td><td>&nbsp;</td></tr></table>",
  );
  expect(parsePrerequisiteTable(html)).toEqual([
    { course: "MATH 2B", title: "B", requirement: "( MATH 2A OR MATH 5A ) AND MATH 1" },
    { course: "MATH 3", title: "C", requirement: "" },
  ]);
});

test.each([
  "<tr><th>Course</th><th>Units</th><th>Course Title</th><th>Prerequisites</th></tr><tr><td>MATH 3</td><td>4</td><td>C</td><td>MATH 2A</td></tr>",
  "<tr><td>Title</td><td>Prerequisite</td><td>Course</td></tr><tr><td>C</td><td>MATH 2A</td><td>MATH 3</td></tr>",
  "<tr><td>MATH 3</td><td>C</td><td>MATH 2A</td></tr>",
])("prerequisites are read by the headings of their columns: %s", (rows) => {
  const read = parsePrerequisiteTable(page(`<table>${rows}</table>`));
  expect(read).toEqual([{ course: "MATH 3", title: "C", requirement: "MATH 2A" }]);
});

test("a table of prerequisites whose rows are not like its headings is damaged", () => {
  const rows = "<tr><td>MATH 3</td><td>4</td><td>C</td><td>MATH 2A</td></tr>";
  expect(() => parsePrerequisiteTable(page(`<table>${rows}</table>`))).toThrow("no row has the columns");
  expect(parsePrerequisiteTable(page("<table><tr><td>Home</td><td>A</td><td>B</td><td>C</td></tr></table>"))).toEqual(
    [],
  );
});

const COURSES = ["MATH 2A", "I&amp;C SCI 31", "CRM/LAW C105"];
const SAME_AS = ["", " (same as CSE 41)", " (same as CSE 41 (old))"];
const PEOPLE = [
  "",
  "LARC Tutorial",
  "Vane",
  "Vane (A)",
  "Odd Vane, Ida Moss &amp; A. Doe",
  "Vane (A), Moss (B)",
  "Smith-Vane - Tutorial",
  "(Vane)",
];
const TITLES = ["Calculus", "Calculus (I)", "(Pre-)Calculus - B", "General Chemistry (Honors (A))"];

const headings = COURSES.flatMap((course) =>
  SAME_AS.flatMap((sameAs) =>
    ["-", "–"].flatMap((dash) =>
      PEOPLE.flatMap((people) =>
        TITLES.map((title) => ({
          heading: `${course}${sameAs} ${dash} ${people === "" ? "" : `${people} `}(${title})`,
          courseNumber: course.replace("&amp;", "&"),
          courseName: title,
        })),
      ),
    ),
  ),
);

const tutorials = (heading: string) =>
  parseLarcPage(
    page(
      `<div class="tutorial-group"><div class="card-header">${heading}</div></div><div class="tutorial-group"><div class="card-header">Welcome</div></div>`,
    ),
  );

test("tutorial headings: course × same course × dash × people × title", () => {
  for (const { heading, ...course } of headings)
    expect(tutorials(heading), heading).toEqual({ groups: [{ ...course, sections: [] }], unreadable: ["Welcome"] });
});

test.each([
  ["CHEM 1A (General Chemistry)", "CHEM 1A", "General Chemistry"],
  ["CHEM 1A (same as CHEM H2A) (General Chemistry)", "CHEM 1A", "General Chemistry"],
  ["CHEM 1A - Vane(General Chemistry)", "CHEM 1A", "General Chemistry"],
  ["CHEM 1A - Tutorial (Calculus I) and II)", "CHEM 1A", "Calculus I) and II"],
  ["CHEM 1A - Vane (A (General Chemistry)", "CHEM 1A", "General Chemistry"],
])("tutorial heading %s", (heading, courseNumber, courseName) => {
  expect(tutorials(heading).groups).toEqual([{ courseNumber, courseName, sections: [] }]);
});

test.each(["Vane (A) (General Chemistry)", "CHEM 1A - Vane", "(General Chemistry)", " - Vane (General Chemistry)"])(
  "%s names no course and title",
  (heading) => {
    const named = tutorials("MATH 2A - (Calculus)").groups;
    const html = page(
      ["MATH 2A - (Calculus)", heading]
        .map((text) => `<div class="tutorial-group"><div class="card-header">${text}</div></div>`)
        .join(""),
    );
    expect(parseLarcPage(html)).toEqual({ groups: named, unreadable: [heading.trim()] });
  },
);

test("no group: no tutorials in that term", () => {
  expect(parseLarcPage(page("<p>There are no tutorials for this term.</p>"))).toEqual({ groups: [], unreadable: [] });
});
