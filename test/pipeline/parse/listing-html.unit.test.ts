import { describe, expect, it } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { parseListing } from "../../../pipeline/parse/schedule/listing-html.ts";

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

  it("reads the departments: dot leaders and marks go, ended ones are departments like all others", () => {
    const { departments } = parseListing(
      form(
        TERM,
        `${DEPARTMENT}<option  value="I&amp;C SCI">I&amp;C SCI . . . . . Information &amp; Computer Science</option>
         <option style="color: gray" value="ENVIRON">ENVIRON . . . Environmental Health, Science, and Policy  (until 2011 Spg)</option>
         <option value="CRM/LAW">CRM/LAW . . . .Criminology, Law and Society  (started 2019 Fall)</option>
         <option value="WOM STD">WOM STD . . Women&rsquo;s Studies (General)</option>
         <option value="DANCE">DANCE . . again</option>`,
      ),
    );
    expect(departments).toEqual([
      { deptCode: "DANCE", deptName: "Dance" },
      { deptCode: "I&C SCI", deptName: "Information & Computer Science" },
      {
        deptCode: "ENVIRON",
        deptName: "Environmental Health, Science, and Policy",
        until: { year: "2011", quarter: "Spring" },
      },
      { deptCode: "CRM/LAW", deptName: "Criminology, Law and Society" },
      { deptCode: "WOM STD", deptName: "Women’s Studies (General)" },
    ]);
  });

  const listed = (...labels: string[]) =>
    parseListing(form(TERM, labels.map((label) => `<option value="HUM ART">HUM ART . . ${label}</option>`).join("")))
      .departments;

  it.each([
    ["(until 2019 Fall)", "2019 Fall"],
    ["(until 2019 SS1)", "2019 Summer1"],
    ["(until 2019 SS2)", "2019 Summer2"],
    ["(until 2019 10wk)", "2019 Summer10wk"],
    ["(until 2013 FSm)", "2013 Fall"],
    ["(until 2011 Spg)", "2011 Spring"],
    ["(until 2011 SpSm)", "2011 Spring"],
    ["(until 2016 Wtr)", "2016 Winter"],
    ["(until 2016 Winter Qtr.)", "2016 Winter"],
    ["(until 2016 Summer Session 1)", "2016 Summer1"],
    ["(until 2016 Summer)", "2016 Summer2"],
    ["(until Fall 2016)", "2016 Fall"],
    ["(until 2016)", "2016 Fall"],
    ["(Until2016Fall)", "2016 Fall"],
    ["(  until:  2016   Fall  )  ", "2016 Fall"],
    ["(until 2016 Fall", "2016 Fall"],
    ["(started 2012 Fall) (until 2016 Fall)", "2016 Fall"],
    ["(started 2012 Fall, until 2016 SS2)", "2016 Summer2"],
    ["(until 2016 SS2; started 2012 Fall)", "2016 Summer2"],
    ["(started 2012 Fall)", undefined],
    ["(until further notice)", undefined],
    ["(until 2016-17)", undefined],
    ["(until 2016 Xyz)", undefined],
  ])("%s ends with %s", (mark, end) => {
    const [year, quarter] = end?.split(" ") ?? [];
    expect(listed(`Arts${mark}`)).toEqual([
      { deptCode: "HUM ART", deptName: "Arts", ...(end === undefined ? {} : { until: { year, quarter } }) },
    ]);
  });

  it("takes the department that goes on, or went on longer, where a code stands twice", () => {
    expect(listed("Old (until 2010 Fall)", "New (started 2015 Fall)")).toMatchObject([{ deptName: "New" }]);
    expect(listed("Old (until 2015 Fall)", "Older (until 2010 Fall)")).toMatchObject([{ deptName: "Old" }]);
    expect(listed("Old (until 2010 Fall)", "Later (until 2015 Fall)")).toMatchObject([{ deptName: "Later" }]);
  });

  it.each([
    ["offers no term", form("", DEPARTMENT)],
    ["offers no department", form(TERM, `<option value=" ALL">Include All Departments</option>`)],
    ["is cut off", form(TERM, DEPARTMENT).slice(0, -30)],
    ["offers no term", "<html><body><h1>Service Unavailable</h1></body></html>"],
  ])("refuses a page that %s", (words, html) => {
    expect(() => parseListing(html)).toThrow(UpstreamBadResponse);
    expect(() => parseListing(html)).toThrow(words);
  });
});
