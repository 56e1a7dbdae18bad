/** Search results as an HTML page, the only format that distinguishes "too many" from "none". */
import { UPSTREAM_SECTION_LIMIT } from "../../contract/vocabulary.ts";
import type { CampusResponse } from "../listening/response.ts";
import { escapeHtml, htmlResponse } from "../html.ts";
import type { CampusTerm } from "../sections/term-calendar.ts";
import { printTime } from "./section-xml.ts";
import type { SectionView } from "./tests.ts";

const TITLE = "Schedule of Classes";
const HEAD = '<div class="title-bar"><h1>Schedule of Classes</h1></div>';

export function renderWebResults(views: readonly SectionView[], term: CampusTerm): CampusResponse {
  if (views.length > UPSTREAM_SECTION_LIMIT) {
    return sentence(`Your search found more than ${UPSTREAM_SECTION_LIMIT} sections. Please narrow it down.`);
  }
  if (views.length === 0) return sentence("No courses of this term matched your search.");
  let rows = "";
  let school = "";
  let department = "";
  let course: object | undefined;
  for (const view of views) {
    const { offering } = view.section;
    if (offering.department.school !== school) rows += heading("college-title", (school = offering.department.school));
    if (offering.department.code !== department) {
      rows += heading("dept-title", offering.department.name);
      department = offering.department.code;
    }
    if (offering !== course)
      rows += heading("CourseTitle", `${department} ${offering.course.number} ${offering.title}`);
    course = offering;
    rows += sectionRow(view, term);
  }
  return htmlResponse(TITLE, `${HEAD}\n<div class="course-list"><table>\n${rows}</table></div>`);
}

/** A page with a red sentence: nothing found, too much found, or a search that is refused. */
export function sentence(text: string): CampusResponse {
  return htmlResponse(
    TITLE,
    `${HEAD}\n<div class="course-list"><p style="color: red; font-weight: bold;">${escapeHtml(text)}</p></div>`,
  );
}

const heading = (kind: string, text: string): string =>
  `<tr class="${kind}"><td colspan="15">${escapeHtml(text)}</td></tr>\n`;

function sectionRow({ section, state }: SectionView, term: CampusTerm): string {
  const cells = [
    section.codeText,
    section.type,
    section.num,
    section.units,
    state.instructors.map(escapeHtml).join("<br>"),
    section.meetings.map(({ days, time }) => (time ? `${days} ${printTime(time)}` : "TBA")).join("<br>"),
    section.meetings.map(({ places }) => places.map((place) => place.join(" ")).join(" &amp; ")).join("<br>"),
    state.capacity,
    state.enrolled,
    state.waitlist,
    state.requested,
    section.restrictions,
    '<a href="https://books.example.edu/">Books</a>',
    `<a href="https://sites.example.edu/${term.code}/${section.codeText}">Web</a>`,
    state.status,
  ];
  return `<tr valign="top" bgcolor="#FFFFCC">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`;
}
