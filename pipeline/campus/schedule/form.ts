/**
 * The search form: the lists of terms and departments with which a crawl begins, including terms that it has to skip.
 */
import { QUARTER_LONG_NAMES, type Term } from "../../contract/vocabulary.ts";
import type { CampusDepartment } from "../courses/departments.ts";
import { RETIRED_DEPARTMENTS } from "../facts/schools.ts";
import { escapeHtml, htmlPage } from "../html.ts";
import { draw, hashText } from "../random.ts";
import type { CampusTerm } from "../sections/term-calendar.ts";
import { BREADTH, CANCELLED, CLASS_TYPES, DIVISIONS, FULL, HOURS, MODALITIES, type Option } from "./form-options.ts";

/** `terms`: oldest first; the form lists the newest first. */
export function renderForm(terms: readonly CampusTerm[], departments: readonly CampusDepartment[]): string {
  const termList = termOptions(terms);
  const selected = termList.findIndex(([value]) => value === terms.at(-1)?.code);
  const rows = [
    row("Term", select("YearTerm", termList, selected)),
    row(
      "Display Options",
      '<input type="checkbox" name="ShowComments" checked="checked" /> Comments <input type="checkbox" name="ShowFinals" checked="checked" /> Finals',
    ),
    row("General Education (Breadth)", select("Breadth", BREADTH), true),
    row("Department Name", departmentSelect(departments), true),
    row("Course Number or Range", input("CourseNum", 22, "H2A, 5, 10-20")),
    row("Course Level", select("Division", DIVISIONS)),
    row("Course Code or Range", input("CourseCodes", 22, "14200, 29000-29100"), true),
    row("Instructor", input("InstrName", 22, "last name"), true),
    row("Course Title Contains", input("CourseTitle", 45)),
    row("Course Type", select("ClassType", CLASS_TYPES)),
    row("Units", input("Units", 5, "3, 4, or VAR")),
    row("Modality", select("Modality", MODALITIES)),
    row("Days", input("Days", 15, "all of the days given")),
    row("Starting Time After", select("StartTime", HOURS)),
    row("Ending Time Before", select("EndTime", HOURS)),
    row("Maximum Capacity", input("MaxCap", 6, "&gt;50, &lt;20")),
    row("Courses Full Option", select("FullCourses", FULL)),
    row("Web Font Size Percentage", '<input name="FontSize" size="4" value="100" />'),
    row("Cancelled Courses", select("CancelledCourses", CANCELLED)),
    row("Meeting Place", '<input name="Bldg" size="8" /> building code <input name="Room" size="8" /> room'),
  ];
  const buttons = ["Web", "Text", "XML"]
    .map((kind) => `<input type="submit" name="Submit" value="Display ${kind} Results" />`)
    .join(" &nbsp; ");
  return htmlPage(
    "Schedule of Classes",
    `<div id="srchbox"><form action="https://search.example.edu/"><select name="where"><option value="site">This site</option></select><input name="q" type="text" /></form></div>
<div class="title-bar"><h1>Schedule of Classes</h1></div>
<form method="post" action="/perl/WebSoc">
<p>${buttons} &nbsp; <a href="/perl/WebSoc">Reset Menu</a></p>
<table>
${rows.join("\n")}
</table>
</form>`,
  );
}

/** Two blanks after the year. Medicine's summer and Law's semesters are terms of other calendars. */
function termOptions(terms: readonly CampusTerm[]): Option[] {
  const options = terms
    .toReversed()
    .map(({ code, year, quarter }): Option => [code, `${year}  ${QUARTER_LONG_NAMES[quarter]}`]);
  const year = Number(terms.at(-1)?.year);
  const medical = options.findIndex(([code]) => code.endsWith("-39"));
  options.splice(medical < 0 ? options.length : medical, 0, [`${year - 1}-51`, `${year - 1}  Summer Qtr (COM)`]);
  options.push(
    [`${year - 1}-8F`, `${year - 1}  Fall Semester (Law)`],
    [`${year - 1}-0S`, `${year - 1}  Spring Semester (Law)`],
  );
  return options;
}

function departmentSelect(departments: readonly CampusDepartment[]): string {
  const entries = [
    ...departments.map(({ code, name, started, ended }) => ({
      code,
      label: leader(
        code,
        name,
        (ended && `until ${ended.year} ${shortQuarter(ended)}`) ??
          (started && `started ${started.year} ${started.quarter}`),
      ),
      ended: ended !== undefined,
    })),
    ...RETIRED_DEPARTMENTS.map(([code, name, until]) => ({ code, label: leader(code, name, until), ended: true })),
  ].sort((a, b) => (a.code < b.code ? -1 : 1));
  const options = entries.map(
    ({ code, label, ended }) =>
      `<option${ended ? ' style="color: gray"' : ""} value="${escapeHtml(code)}">${escapeHtml(label)}</option>`,
  );
  return `<select name="Dept">\n<option value=" ALL" selected="selected">Include All Departments</option>\n${options.join("\n")}\n</select>`;
}

/** `Fall`, `SS2`: as the form shortens the quarter in which a department ended. */
const shortQuarter = ({ quarter }: Term): string => (quarter === "Spring" ? "Spg" : quarter.replace("Summer", "SS"));

/** `COMPSCI . . . . . Computer Science (started 2019 Fall)`: code, dot leader, name with or without a leading blank. */
function leader(code: string, name: string, suffix: string | undefined): string {
  const x = draw(hashText(code), 1);
  const dots = " .".repeat(Math.max(3, 9 - Math.ceil(code.length * 0.7)));
  return `${code}${dots}${x < 0.5 ? " " : ""}${name}${suffix === undefined ? "" : `${x < 0.7 ? " " : "  "}(${suffix})`}`;
}

const row = (label: string, control: string, starred = false): string =>
  `<tr><td>${starred ? '<font color="red">*</font>' : "&nbsp;"}</td><td nowrap="nowrap"><b>${label}:</b></td><td>${control}</td></tr>`;

const input = (name: string, size: number, hint = ""): string =>
  `<input name="${name}" size="${size}" /> <small>${hint}</small>`;

function select(name: string, options: readonly Option[], selected = 0): string {
  const items = options.map(
    ([value, label], i) =>
      `<option value="${escapeHtml(value)}"${i === selected ? ' selected="selected"' : ""}>${escapeHtml(label)}</option>`,
  );
  return `<select name="${name}">\n${items.join("\n")}\n</select>`;
}
