/** The sections of a term with their seats. */
import { h } from "./element.js";
import { meeting } from "./words.js";

/** All sections of a schedule answer, each with its course's and department's names. */
export const sectionsIn = ({ schools }) =>
  schools.flatMap(({ departments }) =>
    departments.flatMap(({ courses }) =>
      courses.flatMap(({ deptCode, courseNumber, courseTitle, sections }) =>
        sections.map((section) => ({ ...section, deptCode, courseNumber, courseTitle })),
      ),
    ),
  );

const STATUS = { OPEN: "open", Waitl: "waitlist", FULL: "full", NewOnly: "new students only" };

function seats({ numCurrentlyEnrolled, maxCapacity }) {
  const [taken, all] = [Number(numCurrentlyEnrolled.totalEnrolled), Number(maxCapacity)];
  const fill = h("span", { class: "fill" });
  fill.style.width = `${Math.min(100, all > 0 ? (100 * taken) / all : 100)}%`;
  return [
    h("span", null, `${numCurrentlyEnrolled.totalEnrolled} / ${maxCapacity}`),
    h("span", { class: taken >= all ? "meter is-full" : "meter", "aria-hidden": "true" }, fill),
  ];
}

function waitlist({ numOnWaitlist, numWaitlistCap }) {
  if (!/^\d+$/.test(numOnWaitlist)) return "–";
  return /^\d+$/.test(numWaitlistCap) && numWaitlistCap !== "0"
    ? `${numOnWaitlist} / ${numWaitlistCap}`
    : numOnWaitlist;
}

const HEADS = ["Code", "Section", "Instructor", "Time and place", "Enrolled / seats", "Waitlist", "Status"];

/** A table that becomes cards on a narrow screen; the roles keep it a table for a screen reader. `chosen` is a section code. */
export function sectionTable(sections, { caption, chosen, withCourse = false }) {
  const heads = withCourse ? ["Course", ...HEADS] : HEADS;
  const row = (section) => {
    const { sectionCode, sectionType, sectionNum, instructors, meetings, status } = section;
    const times = meetings
      .map(meeting)
      .map(({ at, where }) => h("div", null, at, h("span", { class: "quiet" }, ` ${where}`)));
    const cells = [
      ...(withCourse
        ? [
            h(
              "a",
              {
                href: `#course/${encodeURIComponent(`${section.deptCode.replaceAll(" ", "")}${section.courseNumber}`)}`,
              },
              `${section.deptCode} ${section.courseNumber}`,
            ),
          ]
        : []),
      sectionCode,
      `${sectionType} ${sectionNum}`,
      instructors.length > 0 ? instructors.join("; ") : "not named",
      times,
      seats(section),
      waitlist(section),
      h(
        "span",
        { class: `status status-${STATUS[status] === undefined ? "other" : status}` },
        STATUS[status] ?? status,
      ),
    ];
    const own = sectionCode === chosen;
    return h(
      "tr",
      { role: "row", class: own && "chosen", "aria-current": own && "true" },
      cells.map((cell, i) =>
        i === 0
          ? h("th", { role: "rowheader", scope: "row", "data-label": heads[i] }, cell)
          : h("td", { role: "cell", "data-label": heads[i] }, cell),
      ),
    );
  };
  return h(
    "table",
    { role: "table", class: "sections" },
    h("caption", null, caption),
    h(
      "thead",
      { role: "rowgroup" },
      h(
        "tr",
        { role: "row" },
        heads.map((head) => h("th", { role: "columnheader", scope: "col" }, head)),
      ),
    ),
    h("tbody", { role: "rowgroup" }, sections.map(row)),
  );
}
