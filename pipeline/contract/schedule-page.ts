/**
 * A response of the schedule system in the system's spelling, which the parsers pass to the normaliser; it is never
 * stored.
 */
import type { UnknownField } from "./source-fields.ts";

/** The schedule system's name in errors and reports. */
export const SCHEDULE_SYSTEM = "schedule";

/** A line of a section's meetings: the system repeats days and time for every room. */
export interface SourceMeeting {
  days: string;
  time: string;
  bldg: string;
  room: string;
}

export interface SourceFinal {
  date: string;
  day: string;
  time: string;
}

/** Texts as sent, white space included; an absent element is `""`. */
export interface SourceSection {
  code: string;
  type: string;
  num: string;
  units: string;
  maxEnroll: string;
  enrolled: string;
  xlistEnrolled: string;
  waitlist: string;
  waitCap: string;
  requests: string;
  newOnlyReserved: string;
  restrictions: string;
  status: string;
  comment: string;
  instructors: string[];
  meetings: SourceMeeting[];
  /** Undefined if the section has no final. */
  final: SourceFinal | undefined;
}

/** A course may come in several blocks; it is identified by number and title. */
export interface SourceCourse {
  number: string;
  title: string;
  comment: string;
  prerequisiteLink: string;
  sections: SourceSection[];
}

export interface SourceDepartment {
  code: string;
  name: string;
  comment: string;
  codeRangeComments: string[];
  numberRangeComments: string[];
  courses: SourceCourse[];
}

export interface SourceSchool {
  name: string;
  comment: string;
  departments: SourceDepartment[];
}

export interface SchedulePage {
  schools: SourceSchool[];
  /** The number of sections in the schools. */
  sections: number;
  /**
   * False if the response lacks the term at its head or the restriction codes at its end, so that it may be truncated.
   */
  whole: boolean;
  /** Elements and attributes that the parser does not know. */
  unknown: readonly UnknownField[];
}

/** The HTML page of the same search. */
export type WebResults =
  | { kind: "tooMany" }
  | { kind: "none" }
  /** The section codes on the page. */
  | { kind: "sections"; codes: string[] };
