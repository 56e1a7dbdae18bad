/**
 * The registrar's rules, derived from real calendars of 2009 to 2026: when terms begin and end. Fall begins on a
 * Thursday, everything else on a Monday; Winter, Spring and the first summer sessions follow each other twelve weeks
 * apart.
 */
import { type Quarter, type Term, QUARTER_CODES } from "../../contract/vocabulary.ts";
import { toDay, weekdayOf } from "../days.ts";

/** The Falls that began a week later than the rule, as the real ones did. */
const LATE_FALLS: ReadonlyMap<number, number> = new Map([
  [2014, toDay(2014, 10, 2)],
  [2020, toDay(2020, 10, 1)],
]);

/** The schedule of a term is published twenty weeks before its instruction begins. */
const ANNOUNCED_BEFORE = 140;
/** Enrolment opens seven weeks before a quarter, fifteen before a summer session. */
const ENROLMENT_BEFORE = 49;
const SUMMER_ENROLMENT_BEFORE = 105;
/** The table of finals is published a month before instruction. */
const FINALS_TABLE_BEFORE = 30;
/** The records office exports a term five weeks after its last final. */
const GRADES_AFTER = 35;

/** A term with all its relevant days; all bounds are inclusive. */
export interface CampusTerm extends Term {
  /** `2024-92`, as the schedule's form sends it. */
  readonly code: string;
  readonly summer: boolean;
  readonly instructionStart: number;
  readonly instructionEnd: number;
  readonly finalsStart: number;
  readonly finalsEnd: number;
  readonly announcedOn: number;
  readonly enrolmentOpens: number;
  readonly finalsTableOn: number;
  readonly gradesOutOn: number;
}

/** Computes the dates of any term. */
export function campusTerm(term: Term): CampusTerm {
  const { year, quarter } = term;
  const summer = quarter.startsWith("Summer");
  const start = instructionStart(Number(year), quarter);
  const finalsStart = start + daysToFinals(Number(year), quarter);
  const finalsEnd = finalsStart + FINALS_LENGTH[quarter] - 1;
  return {
    year,
    quarter,
    code: `${year}-${QUARTER_CODES[quarter]}`,
    summer,
    instructionStart: start,
    instructionEnd: finalsStart - 1,
    finalsStart,
    finalsEnd,
    announcedOn: start - ANNOUNCED_BEFORE,
    enrolmentOpens: start - (summer ? SUMMER_ENROLMENT_BEFORE : ENROLMENT_BEFORE),
    finalsTableOn: start - FINALS_TABLE_BEFORE,
    gradesOutOn: finalsEnd + GRADES_AFTER,
  };
}

/** Finals last six or seven days (Spring's end on Thursday), in summer two, after the ten weeks one. */
const FINALS_LENGTH: Readonly<Record<Quarter, number>> = {
  Winter: 7,
  Spring: 6,
  Summer1: 2,
  Summer10wk: 1,
  Summer2: 2,
  Fall: 7,
};

function instructionStart(year: number, quarter: Quarter): number {
  switch (quarter) {
    case "Winter":
      return onOrAfter(toDay(year, 1, 3), 1);
    case "Spring":
      return instructionStart(year, "Winter") + 84;
    case "Summer1":
    case "Summer10wk":
      return instructionStart(year, "Spring") + 84;
    case "Summer2":
      return instructionStart(year, "Summer1") + 42;
    case "Fall":
      return LATE_FALLS.get(year) ?? onOrAfter(toDay(year, 9, 22), 4);
  }
}

function daysToFinals(year: number, quarter: Quarter): number {
  switch (quarter) {
    case "Winter":
    case "Spring":
      return 68;
    case "Summer1":
      // A fourth of July on a Tuesday or Thursday costs a day of classes, and the session ends a day later.
      return [2, 4].includes(weekdayOf(toDay(year, 7, 4))) ? 37 : 36;
    case "Summer10wk":
      return 67;
    case "Summer2":
      return 36;
    case "Fall":
      return 72;
  }
}

function onOrAfter(day: number, weekday: number): number {
  return day + ((weekday - weekdayOf(day) + 7) % 7);
}
