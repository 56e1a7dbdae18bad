/**
 * Every enumeration of the service.
 * Sources: the interface specification (values, spelling), the upstream's search form (term codes, labels).
 */

/** Quarters in calendar order within a year (Winter 2024 precedes Fall 2024). */
export const QUARTERS = ["Winter", "Spring", "Summer1", "Summer10wk", "Summer2", "Fall"] as const;
export type Quarter = (typeof QUARTERS)[number];

/** The sessions that the records office calls "Summer", in the order in which they are tried. */
export const SUMMER_QUARTERS = ["Summer1", "Summer10wk", "Summer2"] as const satisfies readonly Quarter[];

/** The schedule system's two-digit code of a quarter: `2024-92` is Fall 2024. */
export const QUARTER_CODES: Readonly<Record<Quarter, string>> = {
  Winter: "03",
  Spring: "14",
  Summer1: "25",
  Summer10wk: "39",
  Summer2: "76",
  Fall: "92",
};

/** The part after the year in a term's long name: `2024 Summer Session 1`. */
export const QUARTER_LONG_NAMES: Readonly<Record<Quarter, string>> = {
  Winter: "Winter Quarter",
  Spring: "Spring Quarter",
  Summer1: "Summer Session 1",
  Summer10wk: "10-wk Summer",
  Summer2: "Summer Session 2",
  Fall: "Fall Quarter",
};

/** GE categories in the order of the upstream's form. */
export const GE_CATEGORIES = [
  "GE-1A",
  "GE-1B",
  "GE-2",
  "GE-3",
  "GE-4",
  "GE-5A",
  "GE-5B",
  "GE-6",
  "GE-7",
  "GE-8",
] as const;
export type GeCategory = (typeof GE_CATEGORIES)[number];

export const DIVISIONS = ["LowerDiv", "UpperDiv", "Graduate"] as const;
export type Division = (typeof DIVISIONS)[number];

/** Bounds of a division by the digits of the course number, both ends included; a number without digits counts as 0. */
export const DIVISION_BOUNDS: Readonly<Record<Division, readonly [low: number, high: number]>> = {
  LowerDiv: [0, 99],
  UpperDiv: [100, 199],
  Graduate: [200, 2_147_483_647],
};

/** The labels of a course's level (pipeline/RULES.md, Catalogue). */
export const COURSE_LEVEL_LABELS: Readonly<Record<Division, string>> = {
  LowerDiv: "Lower Division (1-99)",
  UpperDiv: "Upper Division (100-199)",
  Graduate: "Graduate/Professional Only (200+)",
};

export const SECTION_TYPES = [
  "Act",
  "Col",
  "Dis",
  "Fld",
  "Lab",
  "Lec",
  "Qiz",
  "Res",
  "Sem",
  "Stu",
  "Tap",
  "Tut",
] as const;

export const FULL_COURSES = ["SkipFull", "SkipFullWaitlist", "FullOnly", "OverEnrolled"] as const;
export const CANCELLED_COURSES = ["Exclude", "Include", "Only"] as const;
/** The statuses of sections in the schedule system. */
export const STATUSES = ["OPEN", "Waitl", "FULL", "NewOnly"] as const;
export const EXAM_STATUSES = ["NO_FINAL", "TBA_FINAL", "SCHEDULED_FINAL"] as const;

/** Days of the week as the schedule abbreviates them, Sunday first. */
export const DAYS = ["Su", "M", "Tu", "W", "Th", "F", "Sa"] as const;
export type Day = (typeof DAYS)[number];

/** Names as finals use them, in the order of JavaScript's days of the week. */
export const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** "Today" is the day on campus, whatever the server's zone (pipeline/RULES.md, Days). */
export const CAMPUS_TIME_ZONE = "America/Los_Angeles";

/** Grade data begins with this term; no earlier term is crawled. */
export const FIRST_TERM = { year: "2014", quarter: "Summer1" } as const satisfies Term;

/** The upstream refuses a search that matches more sections than this. */
export const UPSTREAM_SECTION_LIMIT = 900;

/**
 * Section codes from here on are study abroad and registrar's tests: reachable only by code, never crawled
 * (pipeline/RULES.md, Schedule).
 */
export const FIRST_HIDDEN_CODE = 98_000;

/** A term: a calendar year (four digits) and a quarter. */
export interface Term {
  readonly year: string;
  readonly quarter: Quarter;
}

/** `2024 Fall`, the term's short name. */
export function termName(term: Term): string {
  return `${term.year} ${term.quarter}`;
}

/** Parses `2024 Fall`; undefined when it is not a term. */
export function parseTermName(text: string): Term | undefined {
  const match = /^(\d{4})\s+(\w+)$/.exec(text.trim());
  const quarter = QUARTERS.find((q) => q === match?.[2]);
  return match?.[1] && quarter ? { year: match[1], quarter } : undefined;
}

/** Negative when `a` precedes `b` in time. */
export function compareTerms(a: Term, b: Term): number {
  return termOrdinal(a) - termOrdinal(b);
}

/**
 * A number to sort terms by, `20266` for Fall 2026: the year, and the position of the quarter in it, from 1. It never
 * changes.
 */
export function termOrdinal({ year, quarter }: Term): number {
  return Number(year) * 10 + QUARTERS.indexOf(quarter) + 1;
}

/** The digits of a course number as a number: `M118L` → 118; none → 0. */
export function courseDigits(courseNumber: string): number {
  const digits = courseNumber.replace(/\D/g, "").slice(0, 9);
  return digits === "" ? 0 : Number(digits);
}

/**
 * The key for comparing department codes, without case and blanks (`I&CSCI` = `I&C SCI`, pipeline/RULES.md, Schedule).
 */
export function departmentKey(code: string): string {
  return code.replace(/\s+/g, "").toUpperCase();
}
