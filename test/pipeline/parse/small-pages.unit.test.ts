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
  ["MATH 2A - LARC Tutorial (Calculus)", "MATH 2A", "Calculus"],
  ["MATH 2A (same as MATH 5A) - LARC Tutorial (Calculus (I))", "MATH 2A", "Calculus (I)"],
  ["I&amp;C SCI 31 (same as CSE 41 (old)) - Adjunct - Tutorial (Pre-Calculus - B)", "I&C SCI 31", "Pre-Calculus - B"],
])("tutorial heading %s", (heading, courseNumber, courseName) => {
  const { groups, unreadable } = parseLarcPage(
    page(
      `<div class="tutorial-group"><div class="card-header">${heading}</div></div><div class="tutorial-group"><div class="card-header">Welcome</div></div>`,
    ),
  );
  expect(groups).toEqual([{ courseNumber, courseName, sections: [] }]);
  expect(unreadable).toEqual(["Welcome"]);
});

test("no group: no tutorials in that term", () => {
  expect(parseLarcPage(page("<p>There are no tutorials for this term.</p>"))).toEqual({ groups: [], unreadable: [] });
});
