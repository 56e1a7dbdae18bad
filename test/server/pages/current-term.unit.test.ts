/** The term that pages, search and assistants mean where nobody names one, on days of an academic year. */
import { expect, it } from "vitest";
import { type CalendarTerm, defaultTerm } from "../../../server/pages/current-term.ts";

function term(name: string, enrolls: string | undefined, instruction: [string, string], finals: [string, string]) {
  const [year = "", quarter = ""] = name.split(" ");
  const enrollment = {
    event: "Enrollment begins",
    kind: "enrollment" as const,
    firstDay: enrolls ?? null,
    lastDay: null,
  };
  return {
    ...{ year, quarter, instructionStart: instruction[0], instructionEnd: instruction[1] },
    ...{ finalsStart: finals[0], finalsEnd: finals[1] },
    dates: [
      {
        event: "Schedule of Classes available",
        kind: "schedule" as const,
        firstDay: "2026-01-01",
        lastDay: "2026-01-01",
      },
      ...(enrolls === undefined
        ? []
        : [enrollment, { ...enrollment, event: "Open enrollment", firstDay: "2027-12-31" }]),
    ],
  } satisfies CalendarTerm;
}

const CALENDAR: readonly CalendarTerm[] = [
  term("2026 Fall", "2026-05-18", ["2026-09-24", "2026-12-04"], ["2026-12-05", "2026-12-11"]),
  term("2027 Winter", "2026-11-16", ["2027-01-04", "2027-03-12"], ["2027-03-13", "2027-03-19"]),
  term("2027 Spring", "2027-02-22", ["2027-03-29", "2027-06-04"], ["2027-06-05", "2027-06-10"]),
  term("2027 Summer1", "2027-03-01", ["2027-06-21", "2027-07-25"], ["2027-07-26", "2027-07-28"]),
  term("2027 Summer2", "2027-03-01", ["2027-08-02", "2027-09-05"], ["2027-09-06", "2027-09-08"]),
  term("2027 Fall", "2027-05-17", ["2027-09-23", "2027-12-03"], ["2027-12-04", "2027-12-10"]),
];
/** The schedule of Spring is published while Winter enrolls. */
const PUBLISHED = ["2027 Spring", "2027 Winter", "2026 Fall"];
const ALL = ["2027 Fall", "2027 Summer2", "2027 Summer1", ...PUBLISHED];

it.each([
  ["week 1", "2026-09-28", "2026 Fall"],
  ["the last day of the first two weeks", "2026-10-07", "2026 Fall"],
  ["week 3, nothing enrolls", "2026-10-08", "2026 Fall"],
  ["the day before the next term enrolls", "2026-11-15", "2026 Fall"],
  ["week 9, the next term enrolls", "2026-11-28", "2027 Winter"],
  ["finals", "2026-12-08", "2027 Winter"],
  ["break", "2026-12-25", "2027 Winter"],
  ["week 1 of the next term", "2027-01-05", "2027 Winter"],
  ["week 5, nothing enrolls", "2027-02-03", "2027 Winter"],
  ["the published term after it enrolls", "2027-02-22", "2027 Spring"],
])("%s (%s): %s", (_name, day, expected) => {
  expect(defaultTerm(day, PUBLISHED, CALENDAR)).toBe(expected);
});

it("in spring summer and fall enroll: the newest of them", () => {
  expect(defaultTerm("2027-05-01", ALL, CALENDAR)).toBe("2027 Summer2");
  expect(defaultTerm("2027-05-17", ALL, CALENDAR)).toBe("2027 Fall");
  expect(defaultTerm("2027-07-01", ALL, CALENDAR)).toBe("2027 Fall");
});

it("in summer, with no schedule of fall: the session that still adds students, then the one that is in session", () => {
  const published = ALL.slice(1);
  expect(defaultTerm("2027-07-10", published, CALENDAR)).toBe("2027 Summer2");
  expect(defaultTerm("2027-08-30", published, CALENDAR)).toBe("2027 Summer2");
});

it("without dates of enrollment: the term in session, else the next to begin, else the newest", () => {
  const plain = CALENDAR.map((dates) => ({ ...dates, dates: [] }));
  expect(defaultTerm("2026-11-28", PUBLISHED, plain)).toBe("2026 Fall");
  expect(defaultTerm("2026-12-25", PUBLISHED, plain)).toBe("2027 Winter");
  expect(defaultTerm("2029-01-01", PUBLISHED, plain)).toBe("2027 Spring");
  expect(defaultTerm("2026-11-28", PUBLISHED, [])).toBe("2027 Spring");
  expect(defaultTerm("2026-11-28", [], CALENDAR)).toBeUndefined();
});

it("a term of which only other dates are known is not chosen by them", () => {
  const [fall, winter] = CALENDAR as [CalendarTerm, CalendarTerm];
  const open = { instructionStart: null, instructionEnd: null, finalsStart: null, finalsEnd: null };
  expect(defaultTerm("2026-11-28", ["2027 Winter", "2026 Fall"], [fall, { ...winter, ...open }])).toBe("2026 Fall");
});
