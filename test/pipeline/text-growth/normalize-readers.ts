/** Calls the functions of `pipeline/normalize` with a text, whose lines are records if a function takes several. */
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { SourceCourse, SourceSchool } from "../../../pipeline/contract/schedule-page.ts";
import { LIMITS } from "../../../pipeline/limits.ts";
import * as calendarDates from "../../../pipeline/normalize/calendar-dates.ts";
import * as calendar from "../../../pipeline/normalize/calendar.ts";
import { toCourseTexts, toCourseTitle } from "../../../pipeline/normalize/catalogue/course-texts.ts";
import { cataloguedIds, toCatalogueCourses } from "../../../pipeline/normalize/catalogue/course.ts";
import { geListOf, isGeText } from "../../../pipeline/normalize/catalogue/ge-text.ts";
import * as trees from "../../../pipeline/normalize/catalogue/prerequisite-tree.ts";
import * as leaves from "../../../pipeline/normalize/catalogue/requirement-leaf.ts";
import { parseRequirement } from "../../../pipeline/normalize/catalogue/requirement.ts";
import { schoolsByDepartment } from "../../../pipeline/normalize/catalogue/school.ts";
import { createTaughtCourses } from "../../../pipeline/normalize/course-history.ts";
import {
  toDate,
  toDescription,
  toSection,
  toValues,
} from "../../../pipeline/normalize/enrollment/imported-snapshot.ts";
import { noteTutorials, toLarcCourses } from "../../../pipeline/normalize/larc.ts";
import { createPeople } from "../../../pipeline/normalize/people/candidates.ts";
import * as printedDays from "../../../pipeline/normalize/printed-days.ts";
import { toDays } from "../../../pipeline/normalize/schedule/days.ts";
import { toFinalExam } from "../../../pipeline/normalize/schedule/final-exam.ts";
import { toHeadings } from "../../../pipeline/normalize/schedule/heading.ts";
import { toRestrictions, toSectionType, toStatus } from "../../../pipeline/normalize/schedule/labels.ts";
import * as meetingTime from "../../../pipeline/normalize/schedule/meeting-time.ts";
import { isCancelled, toLandedSections } from "../../../pipeline/normalize/schedule/section.ts";
import * as taught from "../../../pipeline/normalize/taught-courses.ts";
import { newSection } from "../../../pipeline/parse/schedule/schedule-elements.ts";
import { directory, NAMES } from "./people-readers.ts";
import { distinctIn, linesIn, reads, type TextReaders } from "./reader.ts";

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
const TERM = { year: "2024", quarter: "Fall" } as const;
const tally = () => createTally("calendar");
const ignore = () => undefined;

const DATES = ["Thu, Sept. 24*–Oct 3rd, 2026; 5 pm", "from 9/24/26 until noon, TBA", "between 2026-09-24 and 3 Oct"];
const REQUIREMENT =
  "( MATH 2A ( min grade = C ) OR AP CALCULUS AND X ( min score = 4 ) ) AND NO I&C SCI 21 * ICS 21 since W24 AND BEST 2";
const COURSES = ["MATH 2A", "I&C SCI H32"];
const LABELS = ["Presidents’ Day holiday", "Quarter term begins", "Instruction begins"];
const TIMES = [" 3:30- 4:50p", "8:00:00 AM – 8:50 a.m.", "13.00 to 14.50", "TBA"];
const NO_SIGN = "a comment *<b>&nbsp;CANCELLED </b>*<p>CANCELED</p>\n";

const course = (text: string): SourceCourse => ({
  number: text,
  title: text,
  comment: text,
  prerequisiteLink: text,
  sections: linesIn(text).map((line, i) => ({
    ...newSection(),
    ...{ code: String(10_000 + i), type: line, units: line, enrolled: line, restrictions: line, status: line },
    instructors: [line],
    comment: line,
    meetings: [{ days: line, time: line, bldg: line, room: line }],
    final: { date: line, day: line, time: line },
  })),
});
/** A school of one department for each line. */
const schools = (text: string): SourceSchool[] => [
  {
    name: "School",
    comment: "",
    departments: distinctIn(text).map((line) => ({
      ...{ code: "A", name: line, comment: line, codeRangeComments: [line], numberRangeComments: [line] },
      courses: [course("1")],
    })),
  },
];
const entries = (text: string) =>
  distinctIn(text).map(
    (line) => ({ quarter: "Fall", label: line.slice(0, LIMITS.cell.label), text: line, year: "2024" }) as const,
  );
const year = (text: string) => ({ firstYear: 2024, quarters: ["Fall"] as const, entries: entries(text) });
const dates = (text: string) => calendarDates.toCalendarDates(year(text), tally());
const catalogueCourses = (text: string) => {
  const printed = linesIn(text);
  const courses = printed.map((line, i) => ({
    code: `A ${i}`,
    title: line,
    hours: line,
    description: line,
    details: [line],
  }));
  const departments = [{ code: "A", name: text, courses, unreadable: printed }];
  const requirements = printed.map((line, i) => ({ course: `A ${i}`, requirement: line }));
  return toCatalogueCourses({ departments, requirements, schools: new Map() }, tally());
};
const history = (text: string) => {
  const courses = createTaughtCourses([], "2025-01-01");
  for (const line of distinctIn(text))
    courses.add({ ...TERM, department: line, courseNumber: line, instructors: [line, "VANE, A."], cancelled: false });
  return courses.build(createPeople([{ netid: "a", shortenedName: "VANE, A.", departments: [] }]), tally());
};
const leaf = (text: string) => leaves.toLeaf(text.split(" "), leaves.addRemark(leaves.NO_REMARKS, text), () => false);
const required = (text: string) => {
  const parsed = parseRequirement(text);
  return "requirement" in parsed ? parsed.requirement : null;
};
const date = reads(dates, ...DATES, ...LABELS);
const requirement = (read: (parsed: ReturnType<typeof required>) => unknown) =>
  reads((text) => read(required(text)), REQUIREMENT);

export const NORMALIZE_READERS: TextReaders = {
  "normalize/calendar-dates.ts": {
    kindOf: reads(calendarDates.kindOf, ...LABELS),
    toCalendarDates: date,
    mergeDates: reads((text) => calendarDates.mergeDates(dates(text), dates(text)), ...DATES),
  },
  "normalize/calendar.ts": {
    termIn: null,
    ownEntries: reads((text) => calendar.ownEntries(year(text)), ...LABELS),
    otherEntries: reads((text) => calendar.otherEntries(year(text)), ...LABELS),
    toTermDates: reads((text) => calendar.toTermDates(year(text), tally()), `${LABELS[2]}\n${DATES[0]}`),
    toCalendarRows: reads(
      (text) =>
        calendar.toCalendarRows(
          linesIn(text).map((line) => ({
            ...{ year: line, quarter: "Fall", instructionStart: line, instructionEnd: line },
            ...{ finalsStart: line, finalsEnd: line },
          })),
          tally(),
        ),
      "2024-09-26\n2024",
    ),
    mergeCalendars: null,
    noteOverridden: null,
  },
  "normalize/catalogue/course-texts.ts": {
    toCourseTexts: reads(
      (text) =>
        toCourseTexts(
          schools("a").map((school) => ({
            ...school,
            departments: [
              { ...(school.departments[0] as (typeof school.departments)[number]), courses: linesIn(text).map(course) },
            ],
          })),
          ignore,
        ),
      "https://example.edu/a?b=c",
    ),
    toCourseTitle: reads(toCourseTitle, "Calculus  II ."),
  },
  "normalize/catalogue/course.ts": {
    cataloguedIds: reads(
      (text) => {
        const courses = linesIn(text).map((code) => ({ code, title: "", hours: "", description: "", details: [] }));
        return cataloguedIds({ departments: [{ code: "A", name: "", courses, unreadable: [] }] });
      },
      ...COURSES,
    ),
    toCatalogueCourses: reads(catalogueCourses, REQUIREMENT, "Same as X 1.\n(II, Va)", ".5-4.5 Units", ...COURSES),
  },
  "normalize/catalogue/ge-text.ts": {
    isGeText: reads(isGeText, "(II, Va)", "(General Education III or V. A requirement)"),
    geListOf: reads(geListOf, "((II and Va) VIII", "(GE II or GE IV)"),
  },
  "normalize/catalogue/prerequisite-tree.ts": {
    printRequirement: requirement(trees.printRequirement),
    toRequirementTree: requirement(trees.toRequirementTree),
    toPrerequisiteTree: requirement(trees.toPrerequisiteTree),
    listOf: requirement((parsed) => trees.listOf(trees.toPrerequisiteTree(parsed))),
  },
  "normalize/catalogue/requirement-leaf.ts": {
    isExam: reads((text) => leaves.isExam(text.split(" ")), "AP CALCULUS", "BEST MATH PLACEMENT EXAM STANDING"),
    hasRemarks: null,
    hasScore: null,
    addRemark: reads((text) => leaves.addRemark(leaves.NO_REMARKS, text), "min. grade >= C", "coreq"),
    isRemark: reads(leaves.isRemark, "minimum score of 4 x", "concurrent."),
    toLeaf: reads(leaf, "NO I&C SCI 21 * ICS 21 since W24", "AP CALCULUS BC score of 4 or greater or else", ...COURSES),
  },
  "normalize/catalogue/requirement.ts": {
    parseRequirement: reads((text) => parseRequirement(text), REQUIREMENT, "SAT A OR B C ( ( coreq ) ) ( x )"),
    isLeaf: null,
    partsOf: null,
  },
  "normalize/catalogue/school.ts": {
    schoolsByDepartment: reads(
      (text) => schoolsByDepartment([{ school: text, departments: distinctIn(text) }]),
      ...COURSES,
    ),
  },
  "normalize/course-history.ts": { createTaughtCourses: reads(history, ...NAMES, ...COURSES) },
  "normalize/enrollment/enrollment-history.ts": {},
  "normalize/enrollment/imported-snapshot.ts": {
    BadSnapshot: null,
    toSection: reads((text) => attempt(() => toSection({ ...TERM, sectionCode: text })), "35730"),
    toDate: reads((text) => attempt(() => toDate({ date: text }, "2025-01-01")), "2024-10-01"),
    toValues: reads((text) => {
      const fields = Object.fromEntries(SNAPSHOT_VALUES.map((name) => [name, "1"]));
      return [{ requested: text }, { status: text }].map((own) => attempt(() => toValues({ ...fields, ...own })));
    }, "Wait-listed"),
    toDescription: reads(
      (text) => {
        const lists = { instructors: linesIn(text), meetings: linesIn(text) };
        return [lists, { meetings: text }, { sectionType: text }].map((own) => attempt(() => toDescription(own)));
      },
      "MWF 8:00- 8:50 @ EH 1200, B 2; TuTh TBA",
      ...NAMES,
    ),
  },
  "normalize/larc.ts": {
    noteTutorials: reads((text) => {
      const rows = distinctIn(text).map((line) => ({ ...TERM, courseNumber: "A 1", courseName: line, sections: [] }));
      noteTutorials(TERM, rows, new Map([["A1", [text]]]), tally());
    }, "Calculus & Analysis"),
    toLarcCourses: reads(
      (text) => {
        const sections = [{ days: text, time: text, instructor: text, building: text }];
        const groups = distinctIn(text).map((line) => ({ courseNumber: line, courseName: line, sections: [] }));
        const page = {
          groups: [...groups, { courseNumber: "A", courseName: "B", sections }],
          unreadable: linesIn(text),
        };
        return toLarcCourses(TERM, page, tally());
      },
      "Mon/Wed\n9:00 – 10:50 AM",
      "MATH 2A",
    ),
  },
  "normalize/printed-days.ts": {
    rangesIn: reads(printedDays.rangesIn, "September 24, ", "Sep 20 – 5 pm and later; 24 September, 2 weeks", ...DATES),
    toDays: null,
    isDay: reads(printedDays.isDay, "2024-02-29"),
  },
  "normalize/schedule/days.ts": { toDays: reads(toDays, "Monday, Tues. and We/Th", "TTh", "mwf") },
  "normalize/schedule/final-exam.ts": {
    toFinalExam: reads(
      (text) =>
        [
          { date: "", day: "", time: text },
          { date: text, day: text, time: text },
        ].map((final) => toFinalExam(final, [], ignore)),
      "Mon, Jun 12, 10:30-12:30pm @ HIB 100, ALP 1300",
      "2026-12-07 TBA",
    ),
  },
  "normalize/schedule/heading.ts": { toHeadings: reads((text) => toHeadings(TERM, schools(text)), "Biosci*\nBiology") },
  "normalize/schedule/labels.ts": {
    toSectionType: reads(toSectionType, "Lecture"),
    toStatus: reads(toStatus, "Wait-listed"),
    toRestrictions: reads(toRestrictions, "a & l and B, C or D"),
  },
  "normalize/schedule/meeting-time.ts": {
    clockOf: reads((text) => meetingTime.clockOf([text, ...linesIn(text)]), ...TIMES),
    toTimeRange: reads((text) => meetingTime.toTimeRange(text), ...TIMES),
    toMeetings: reads(
      (text) =>
        meetingTime.toMeetings(
          distinctIn(text).map((line) => ({ days: line, time: " 3:30- 4:50p", bldg: line, room: text.slice(0, 9) })),
          ignore,
        ),
      ...TIMES,
      "MWF",
    ),
  },
  "normalize/schedule/section.ts": {
    toLandedSections: reads(
      (text) => {
        const [school] = schools("a") as [SourceSchool];
        const departments = school.departments.map((department) => ({ ...department, courses: [course(text)] }));
        return toLandedSections(TERM, [{ ...school, departments }], tally(), { keepHidden: false });
      },
      ...TIMES,
      ...NAMES,
    ),
    isCancelled: reads(isCancelled, NO_SIGN),
  },
  "normalize/taught-courses.ts": {
    toCourses: reads((text) => taught.toCourses(catalogueCourses(text), history("A")), "MATH 2A\nMATH 2A"),
    toInstructors: reads((text) => taught.toInstructors(directory(text), history("A")), ...NAMES),
    toNamedPeople: reads(
      (text) => taught.toNamedPeople(directory(text), [{ code: "A", name: text }]),
      "Arts - Dance & Law",
    ),
    departmentCodes: reads((text) => taught.departmentCodes([{ code: "A", name: text }])(text), "SOM-Law & É"),
  },
};
