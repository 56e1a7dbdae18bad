/** A generated term's sections and grades as rows of a world. */
import { monthAndDate, weekdayOf } from "../../../pipeline/campus/days.ts";
import { gradeRows } from "../../../pipeline/campus/grades.ts";
import type { CampusMeeting, Place, ScheduledFinal } from "../../../pipeline/campus/sections/section.ts";
import type { GeneratedTerm } from "../../../pipeline/campus/sections/term.ts";
import type { FinalExam, Meeting } from "../../../pipeline/contract/rows/section.ts";
import { FIRST_HIDDEN_CODE, WEEKDAYS } from "../../../pipeline/contract/vocabulary.ts";
import type { WorldGrade, WorldSection } from "./world.ts";

/** Earlier schedules are in their final state, later ones in a state in which students still enrolled. */
const FIRST_OPEN_YEAR = "2017";
export function toSections({ term, sections, states }: GeneratedTerm): WorldSection[] {
  const day = term.year < FIRST_OPEN_YEAR ? term.finalsEnd : term.instructionStart - 5;
  return sections
    .filter((section) => section.code < FIRST_HIDDEN_CODE)
    .filter((section) => states.isListed(section, day))
    .map((section) => {
      const { offering } = section;
      const state = states.stateOn(section, day);
      const meetings = toMeetings(section.meetings);
      return {
        year: term.year,
        quarter: term.quarter,
        deptCode: offering.department.code,
        courseNumber: offering.course.number,
        courseTitle: offering.title,
        courseComment: offering.comment,
        prerequisiteLink: offering.prerequisiteLink,
        sectionCode: section.codeText,
        sectionType: section.type,
        sectionNum: section.num,
        units: section.units,
        instructors: [...state.instructors],
        meetings,
        finalExam: toFinal(state.final, meetings),
        maxCapacity: String(state.capacity),
        totalEnrolled: String(state.enrolled),
        sectionEnrolled: state.ownEnrolled === undefined ? "" : String(state.ownEnrolled),
        numOnWaitlist: state.waitlist,
        numWaitlistCap: state.waitlistCapacity,
        numRequested: String(state.requested),
        numNewOnlyReserved: state.newOnly,
        restrictions: section.restrictions,
        status: state.status,
        sectionComment: state.comment,
        geCategories: [...section.geCategories],
        cancelled: state.cancelled,
      };
    });
}

/** Meetings at one time are one meeting with several places; a place without a room is its building. */
function toMeetings(meetings: readonly CampusMeeting[]): Meeting[] {
  return meetings.map(({ days, time, places }) => ({
    timeIsTBA: time === undefined,
    bldg: places.map(toLabel),
    days: time === undefined ? null : days === "TBA" ? "" : days,
    startTime: time === undefined ? null : toTime(time.start),
    endTime: time === undefined ? null : toTime(time.end),
  }));
}

const toLabel = ([building, room]: Place): string => (room === "" ? building : `${building} ${room}`);
const toTime = (minutes: number) => ({ hour: Math.floor(minutes / 60), minute: minutes % 60 });

function toFinal(final: ScheduledFinal | "TBA" | undefined, meetings: readonly Meeting[]): FinalExam {
  if (final === undefined || final === "TBA") {
    const examStatus = final === "TBA" ? "TBA_FINAL" : "NO_FINAL";
    return { examStatus, dayOfWeek: null, month: null, day: null, startTime: null, endTime: null, bldg: null };
  }
  const { month, date } = monthAndDate(final.day);
  const places = final.places.map(toLabel);
  return {
    examStatus: "SCHEDULED_FINAL",
    dayOfWeek: WEEKDAYS[weekdayOf(final.day)] as string,
    month,
    day: date,
    startTime: toTime(final.start),
    endTime: toTime(final.end),
    // By default it is in the first room of the first meeting.
    bldg: places.length > 0 ? places : (meetings[0]?.bldg.slice(0, 1) ?? []),
  };
}

/** Instructors and GE categories are those of the section. */
export function toGrades(term: GeneratedTerm, sections: readonly WorldSection[], most: number): WorldGrade[] {
  const { year, quarter } = term.term;
  const shown = new Map(
    sections.filter((row) => row.year === year && row.quarter === quarter).map((row) => [row.sectionCode, row]),
  );
  return gradeRows(term, Infinity)
    .flatMap((row) => {
      const section = shown.get(row.sectionCode);
      if (!row.matched || !section || section.cancelled) return [];
      const [a, b, c, d, f, p, np, w] = row.counts;
      return {
        year,
        quarter,
        sectionCode: row.sectionCode,
        department: row.departmentCode,
        courseNumber: row.courseNumber,
        courseTitle: row.courseTitle,
        sectionType: row.sectionType,
        sectionNum: row.sectionNum,
        departmentName: row.departmentName,
        instructors: section.instructors.filter((name) => name !== "STAFF"),
        geCategories: section.geCategories,
        gradeACount: a,
        gradeBCount: b,
        gradeCCount: c,
        gradeDCount: d,
        gradeFCount: f,
        gradePCount: p,
        gradeNPCount: np,
        gradeWCount: w,
        averageGPA: row.gpa ?? null,
      };
    })
    .slice(0, most);
}
