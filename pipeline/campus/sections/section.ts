/** The constant properties of a section; its state on a day is derived from them (section-state.ts). */
import type { GeCategory } from "../../contract/vocabulary.ts";
import type { CampusCourse } from "../courses/courses.ts";
import type { CampusDepartment } from "../courses/departments.ts";

/** Minutes after midnight. */
export interface MeetingTime {
  readonly start: number;
  readonly end: number;
}

/** Building and room, such as ALP 2300, ON LINE, TBA and "". */
export type Place = readonly [building: string, room: string];

/** Without a time, the time is TBA. A meeting has at least one room; the XML repeats it for each. */
export interface CampusMeeting {
  readonly days: string;
  readonly time: MeetingTime | undefined;
  readonly places: readonly Place[];
}

/** A final with a date; `places` is empty when it is held where the section meets. */
export interface ScheduledFinal extends MeetingTime {
  readonly day: number;
  readonly places: readonly Place[];
}

/** A course (number and title) of a department in one term. */
export interface Offering {
  readonly department: CampusDepartment;
  readonly course: CampusCourse;
  readonly title: string;
  readonly comment: string;
  /** "" if the course has no prerequisites. */
  readonly prerequisiteLink: string;
  readonly sections: CampusSection[];
}

export interface CampusSection {
  readonly offering: Offering;
  /** The seed of all random properties. */
  readonly seed: number;
  /** The seed of enrolment and cancellation; cross-listed sections share it. */
  readonly planSeed: number;
  readonly code: number;
  readonly codeText: string;
  readonly type: string;
  readonly num: string;
  readonly units: string;
  readonly main: boolean;
  /** The categories whose searches match it: main sections only, never the discussions and laboratories beside them. */
  readonly geCategories: readonly GeCategory[];
  readonly instructors: readonly string[];
  /** The instructor who takes over, if any. */
  readonly substitute: string | undefined;
  readonly meetings: readonly CampusMeeting[];
  readonly final: ScheduledFinal | "TBA" | undefined;
  readonly capacity: number;
  readonly restrictions: string;
  /** The same class under another code; the first of the two holds it. */
  partner?: CampusSection;
  readonly holdsClass: boolean;
}
