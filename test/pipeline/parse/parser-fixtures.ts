/** Small pages and files of every kind that the parsers read. */
import { readdirSync, readFileSync } from "node:fs";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { toWorkbookParts } from "../../support/upstream/workbook.ts";

export const whole = (body: string) =>
  `<!DOCTYPE html>\n<html><head><title>Page</title></head>\n<body>\n${body}\n</body>\n</html>\n`;
export const filesIn = (folder: string, end: string): Record<string, Buffer> => {
  const at = new URL(`../../fixtures/${folder}/`, import.meta.url);
  const names = readdirSync(at).filter((name) => name.endsWith(end));
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, at))]));
};

const row = (label: string, ...cells: string[]) =>
  `<tr><td>${label}</td>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
const table = (columns: string[], ...cells: string[]) =>
  `<table class="calendartable">${row("", ...columns)}${row("Instruction begins", ...cells)}${row("Instruction ends", ...cells)}${row("Final examinations", ...cells)}${row("Thanksgiving<br>&nbsp; Holiday", ...cells)}</table>`;
const inventory = (blocks: string) =>
  `<h1 class="page-title">Mathematics (MATH)</h1><div id="courseinventorycontainer">${blocks}</div>`;
export const OLDER = inventory(
  '<div class="courses"><div class="courseblock"><p class="courseblocktitle"><strong>MATH 2A.  Calculus.  4 Units.</strong></p><div class="courseblockdesc"><p>About.</p><p>Same as X 1.<br/>(Va)</p></div></div><div class="courseblock"><p class="courseblocktitle"><strong>MATH 2B.  More.  4 Units.</strong></p></div></div>',
);

/** The bodies of pages, by parser and name. */
export const PAGES = {
  parseCalendarIndex: {
    index: '<a href="2023-2024/quarterly23-24.html">2023</a> <a href="2024-2025/quarterly24-25.html">2024</a>',
  },
  parseCalendarPage: {
    calendar: `<h1>2023-2024 Calendar</h1>${table(["Fall", "Winter", "Spring"], "Sep 28", "Jan 8 – 12", "TBA–Apr 1")}<h2>Summer</h2>${table(["Summer Session I", "Summer 10WK"], "Jun 24", "Jun 24")}`,
  },
  parseCatalogueIndex: {
    index:
      '<div id="atozindex"><h2>M</h2><ul><li><a href="/m/">M (M)</a></li><li><a href="/n/">N (N)</a></li></ul></div>',
  },
  parseCatalogueDepartment: {
    "until 2024": OLDER,
    "since 2025": inventory(
      '<div class="courseblock"><span class="detail-code">MATH 2A.</span><span class="detail-title">Calculus.</span><span class="detail-hours_html">2-4 Units.</span><div class="courseblockextra">About.</div><span class="detail-gened">(Va)</span></div>',
    ),
  },
  parseSchoolsIndex: {
    index: '<div id="textcontainer"><h4><a href="/a/">School A</a></h4><h4><a href="/b/">School B</a></h4></div>',
  },
  parseSchoolPage: {
    school:
      '<h1 class="page-title">School A</h1><ul class="levelone"><li><a href="/a/x/">X</a></li></ul><div id="facultycontainer"><p class="faculty"><span class="name">Mira Vane III, Ph.D.</span></p></div><div id="courseinventorycontainer"><div class="courseblock"><p class="courseblocktitle">MATH 2A.  Calculus.</p></div></div>',
  },
  parsePrerequisiteForm: {
    form: '<form><select name="dept"><option value="">Select</option><option value="I&amp;C SCI">I&amp;C SCI</option><option value="MATH">MATH</option></select></form>',
  },
  parsePrerequisiteTable: {
    table:
      "<table><tr><td>MATH 2B</td><td>MORE</td><td>( MATH 2A ( min grade = C )<br/>OR NO REPEATS ALLOWED IF MATH 5A )<br/>AND<br/>( SAT MATHEMATICS ( min score = 600 ) )</td></tr><tr><td>MATH 2A</td><td>D</td><td>MATH 1B OR UPPER DIVISION STANDING ONLY</td></tr></table>",
  },
  parseLarcPage: {
    tutorials:
      '<h1>LARC</h1><div class="tutorial-group"><div class="card-header">MATH 2A (same as MATH 5A) - LARC Tutorial (Calculus)</div><div class="list-group"><div class="col-lg-4"><div class="col">Mon/Wed</div><div class="col">9:00 - 10:50 AM</div></div><div class="col-lg-4"><div class="col">Odd Vane</div><div class="col">Online</div></div></div></div>',
  },
  parseListing: {
    form: '<form><select name="YearTerm"><option value="2024-92">2024  Fall Quarter</option><option value="2024-8F">2024  Fall (Law)</option></select><select name="Breadth"><option value="ANY">All</option><option value="GE-1A">GE Ia</option></select><select name="Dept"><option value=" ALL">All</option><option value="I&amp;C SCI">I&amp;C SCI . . . . Information (until 2019 SS2)</option></select></form>',
  },
  parseWebResults: {
    sections: '<table><tr valign="top"><td nowrap="nowrap">&nbsp;<b> 34161 </b></td><td>Lec</td></tr></table>',
    none: "<p>No courses matched your search criteria for this term.</p>",
  },
};

export const COLUMNS = ["year", "quarter", "sectionCode", "date", ...SNAPSHOT_VALUES, "courseNumber", "meetings"];
export const DAY = [
  "2024",
  "Fall",
  "34160",
  "2024-09-26",
  ...SNAPSHOT_VALUES.map(() => "7"),
  "161",
  "MWF 8:00- 8:50 @ EH 1200",
];
export const HISTORY = [COLUMNS, DAY, DAY.with(2, "34161").with(1, '"Fall"')]
  .map((cells) => `${cells.join(",")}\n`)
  .join("");

export const SHEET =
  "CalYr,AcadTerm,DepartmentName,CourseNumber,CourseCode,CourseTitle,Instructor1Name,GradeACount,GradeBCount,GradeCCount,GradeDCount,GradeFCount,GradePCount,GradeNPCount,GradeWCount,GradedGPAAvg\n2016,Fall,Physics,20,20001,WAVES,OAKFORD T.,3,2,1,0,0,0,0,0,3.5\n";
export const WORKBOOK = [
  {
    name: "F16",
    rows: SHEET.trim()
      .split("\n")
      .map((line) => line.split(",")),
  },
];
/** The parts of a workbook, each as markup in a sound archive: checksums reveal a flipped bit in the archive itself. */
export const WORKBOOK_PARTS = toWorkbookParts(WORKBOOK, "shared");
