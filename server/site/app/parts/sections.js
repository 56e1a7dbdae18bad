import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { CourseLink } from "../links.tsx";
import { formatMeeting } from "../format.ts";
import { CANCELLED, STATUS_NAMES } from "../charts/status-band.ts";
/** Flattens a schedule response. */
export const sectionsIn = ({ schools }) =>
  schools.flatMap(({ departments }) =>
    departments.flatMap(({ courses }) =>
      courses.flatMap(({ deptCode, courseNumber, sections }) =>
        sections.map((section) => ({ ...section, deptCode, courseNumber })),
      ),
    ),
  );
/** Whether a section is cancelled stands in no field of its own: `cancelled` is the response with only those that are. */
export function toSectionLines(all, cancelled) {
  const codes = new Set(sectionsIn(cancelled).map(({ sectionCode }) => sectionCode));
  return sectionsIn(all).map((section) => ({ ...section, isCancelled: codes.has(section.sectionCode) }));
}
function Seats({ numCurrentlyEnrolled: { totalEnrolled }, maxCapacity }) {
  const [taken, all] = [Number(totalEnrolled), Number(maxCapacity)];
  const width = `${Math.min(100, all > 0 ? (100 * taken) / all : 100)}%`;
  return _jsxs(_Fragment, {
    children: [
      _jsxs("span", { children: [totalEnrolled, " / ", maxCapacity] }),
      _jsx("span", {
        class: taken >= all ? "meter is-full" : "meter",
        "aria-hidden": "true",
        children: _jsx("span", { class: "fill", style: { width } }),
      }),
    ],
  });
}
function waitlist({ numOnWaitlist, numWaitlistCap }) {
  if (!/^\d+$/.test(numOnWaitlist)) return "–";
  return /^\d+$/.test(numWaitlistCap) && numWaitlistCap !== "0"
    ? `${numOnWaitlist} / ${numWaitlistCap}`
    : numOnWaitlist;
}
const Meetings = ({ meetings }) =>
  _jsx(_Fragment, {
    children: meetings
      .map(formatMeeting)
      .map(({ at, where }) => _jsxs("div", { children: [at, " ", _jsx("span", { class: "quiet", children: where })] })),
  });
function Status({ status, isCancelled }) {
  const shown = isCancelled ? CANCELLED : status;
  return _jsx("span", {
    class: `status status-${shown in STATUS_NAMES ? shown : "other"}`,
    children: STATUS_NAMES[shown] ?? shown,
  });
}
const COURSE = ["Course", ({ deptCode, courseNumber }) => _jsx(CourseLink, { name: `${deptCode} ${courseNumber}` })];
const COLUMNS = [
  ["Code", ({ sectionCode }) => sectionCode],
  ["Section", ({ sectionType, sectionNum }) => `${sectionType} ${sectionNum}`],
  ["Instructor", ({ instructors }) => (instructors.length > 0 ? instructors.join("; ") : "not named")],
  ["Time and place", Meetings],
  ["Enrolled / seats", Seats],
  ["Waitlist", waitlist],
  ["Status", Status],
];
/** Becomes cards on a narrow screen; the roles keep it a table for screen readers. */
export function SectionTable({ sections, caption, chosen, withCourse }) {
  const [first, ...others] = withCourse ? [COURSE, ...COLUMNS] : COLUMNS;
  if (!first) return null;
  return _jsx("div", {
    class: "scroll",
    role: "group",
    "aria-label": caption,
    tabIndex: 0,
    children: _jsxs("table", {
      role: "table",
      class: "sections",
      children: [
        _jsx("caption", { children: caption }),
        _jsx("thead", {
          role: "rowgroup",
          children: _jsx("tr", {
            role: "row",
            children: [first, ...others].map(([head]) =>
              _jsx("th", { role: "columnheader", scope: "col", children: head }),
            ),
          }),
        }),
        _jsx("tbody", {
          role: "rowgroup",
          children: sections.map((section) => {
            const isChosen = section.sectionCode === chosen;
            const classes = [isChosen && "chosen", section.isCancelled && "cancelled"].filter(Boolean).join(" ");
            return _jsxs("tr", {
              role: "row",
              class: classes || undefined,
              "aria-current": isChosen ? "true" : undefined,
              children: [
                _jsx("th", { role: "rowheader", scope: "row", "data-label": first[0], children: first[1](section) }),
                others.map(([head, cell]) => _jsx("td", { role: "cell", "data-label": head, children: cell(section) })),
              ],
            });
          }),
        }),
      ],
    }),
  });
}
