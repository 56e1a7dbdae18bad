import { describe, expect, it } from "vitest";
import { UpstreamBadAnswer } from "../../pipeline/errors.ts";
import { parseListing } from "../../pipeline/parse/listing-html.ts";

const form = (terms: string, departments: string) => `<!DOCTYPE html>
<html><body><form><select name="q"><option value="2024-92">no</option></select></form>
<form method="post"><table><tr><td><select name="YearTerm">${terms}</select></td></tr>
<tr><td><select name="Breadth"><option value="ANY">x</option></select><select name="Dept">${departments}</select></td></tr></table></form></body></html>`;
const TERM = `<option value="2024-92" selected="selected">2024  Fall Quarter</option>`;
const DEPARTMENT = `<option value=" ALL">Include All Departments</option><option value="DANCE">DANCE . . . .Dance</option>`;

describe("parseListing", () => {
  it("reads the terms, without double blanks and without Law and medicine", () => {
    const { terms } = parseListing(
      form(
        `${TERM}<option value="2024-76">2024  Summer Session 2</option><option value="2024-51">2024  Summer Qtr (COM)</option>
         <option value="2024-39">2024  10-wk Summer</option><option value="2024-25">2024  Summer Session 1</option>
         <option value="2023-8F">2023  Fall Semester (Law)</option><option value="2024-03">2024  Winter Quarter</option>`,
        DEPARTMENT,
      ),
    );
    expect(terms).toEqual([
      { year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" },
      { year: "2024", quarter: "Summer2", longName: "2024 Summer Session 2" },
      { year: "2024", quarter: "Summer10wk", longName: "2024 10-wk Summer" },
      { year: "2024", quarter: "Summer1", longName: "2024 Summer Session 1" },
      { year: "2024", quarter: "Winter", longName: "2024 Winter Quarter" },
    ]);
  });

  it("reads the departments: dot leaders and `(started …)` go, `(until …)` drops the whole entry", () => {
    const { departments } = parseListing(
      form(
        TERM,
        `${DEPARTMENT}<option  value="I&amp;C SCI">I&amp;C SCI . . . . . Information &amp; Computer Science</option>
         <option style="color: gray" value="ENVIRON">ENVIRON . . . Environmental Health, Science, and Policy  (until 2011 Spg)</option>
         <option value="CRM/LAW">CRM/LAW . . . .Criminology, Law and Society  (started 2019 Fall)</option>
         <option value="DANCE">DANCE . . again</option>`,
      ),
    );
    expect(departments).toEqual([
      { deptCode: "DANCE", deptName: "Dance" },
      { deptCode: "I&C SCI", deptName: "Information & Computer Science" },
      { deptCode: "CRM/LAW", deptName: "Criminology, Law and Society" },
    ]);
  });

  it.each([
    ["offers no term", form("", DEPARTMENT)],
    ["offers no department", form(TERM, `<option value=" ALL">Include All Departments</option>`)],
    ["is cut off", form(TERM, DEPARTMENT).slice(0, -30)],
    ["offers no term", "<html><body><h1>Service Unavailable</h1></body></html>"],
  ])("refuses a page that %s", (words, html) => {
    expect(() => parseListing(html)).toThrow(UpstreamBadAnswer);
    expect(() => parseListing(html)).toThrow(words);
  });
});
