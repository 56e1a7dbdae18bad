/** The table of a term's sections. */
import type { ComponentChildren } from "preact";
import type { ResponseBody } from "../data/fetch-json.ts";
import { CourseLink } from "./links.tsx";
import { formatMeeting } from "../format.ts";
import { CANCELLED, STATUS_NAMES } from "../charts/status-band.ts";

/** Flattens a schedule response. */
export const sectionsIn = ({ schools }: ResponseBody<"Schedule">) =>
  schools.flatMap(({ departments }) =>
    departments.flatMap(({ courses }) =>
      courses.flatMap(({ deptCode, courseNumber, sections }) =>
        sections.map((section) => ({ ...section, deptCode, courseNumber })),
      ),
    ),
  );

/** Whether a section is cancelled stands in no field of its own: `cancelled` is the response with only those that are. */
export function toSectionLines(all: ResponseBody<"Schedule">, cancelled: ResponseBody<"Schedule">) {
  const codes = new Set(sectionsIn(cancelled).map(({ sectionCode }) => sectionCode));
  return sectionsIn(all).map((section) => ({ ...section, isCancelled: codes.has(section.sectionCode) }));
}
export type SectionLine = ReturnType<typeof toSectionLines>[number];

function Seats({ numCurrentlyEnrolled: { totalEnrolled }, maxCapacity }: SectionLine) {
  const [taken, all] = [Number(totalEnrolled), Number(maxCapacity)];
  const width = `${Math.min(100, all > 0 ? (100 * taken) / all : 100)}%`;
  return (
    <>
      <span>
        {totalEnrolled} / {maxCapacity}
      </span>
      <span class={taken >= all ? "meter is-full" : "meter"} aria-hidden="true">
        <span class="fill" style={{ width }} />
      </span>
    </>
  );
}

function waitlist({ numOnWaitlist, numWaitlistCap }: SectionLine): string {
  if (!/^\d+$/.test(numOnWaitlist)) return "–";
  return /^\d+$/.test(numWaitlistCap) && numWaitlistCap !== "0"
    ? `${numOnWaitlist} / ${numWaitlistCap}`
    : numOnWaitlist;
}

const Meetings = ({ meetings }: SectionLine) => (
  <>
    {meetings.map(formatMeeting).map(({ at, where }) => (
      <div>
        {at} <span class="quiet">{where}</span>
      </div>
    ))}
  </>
);

function Status({ status, isCancelled }: SectionLine) {
  const shown = isCancelled ? CANCELLED : status;
  return <span class={`status status-${shown in STATUS_NAMES ? shown : "other"}`}>{STATUS_NAMES[shown] ?? shown}</span>;
}

type Column = readonly [head: string, cell: (section: SectionLine) => ComponentChildren];

const COURSE: Column = ["Course", ({ deptCode, courseNumber }) => <CourseLink name={`${deptCode} ${courseNumber}`} />];
const COLUMNS: readonly Column[] = [
  ["Code", ({ sectionCode }) => sectionCode],
  ["Section", ({ sectionType, sectionNum }) => `${sectionType} ${sectionNum}`],
  ["Instructor", ({ instructors }) => (instructors.length > 0 ? instructors.join("; ") : "not named")],
  ["Time and place", Meetings],
  ["Enrolled / seats", Seats],
  ["Waitlist", waitlist],
  ["Status", Status],
];

interface SectionTableProps {
  readonly sections: readonly SectionLine[];
  readonly caption: string;
  readonly chosen: string | undefined;
  readonly withCourse: boolean;
}

/** Becomes cards on a narrow screen; the roles keep it a table for screen readers. */
export function SectionTable({ sections, caption, chosen, withCourse }: SectionTableProps) {
  const [first, ...others] = withCourse ? [COURSE, ...COLUMNS] : COLUMNS;
  if (!first) return null;
  return (
    <div class="scroll" role="group" aria-label={caption} tabIndex={0}>
      <table role="table" class="sections">
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {[first, ...others].map(([head]) => (
              <th role="columnheader" scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sections.map((section) => {
            const isChosen = section.sectionCode === chosen;
            const classes = [isChosen && "chosen", section.isCancelled && "cancelled"].filter(Boolean).join(" ");
            return (
              <tr role="row" class={classes || undefined} aria-current={isChosen ? "true" : undefined}>
                <th role="rowheader" scope="row" data-label={first[0]}>
                  {first[1](section)}
                </th>
                {others.map(([head, cell]) => (
                  <td role="cell" data-label={head}>
                    {cell(section)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
