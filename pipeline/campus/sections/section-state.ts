/**
 * The state of a section in an hour on campus: seats, waitlist, status, instructors, whether it is listed or cancelled.
 * A pure function of the section and the campus time; nothing changes after the term's last day.
 */
import {
  ADDED_SHARE,
  CANCELLED_SHARE,
  CAPACITY_CHANGED_SHARE,
  EVENING_REQUESTS,
  NEW_ONLY_RELEASED_FROM,
  NEW_ONLY_SEATS,
  NEW_ONLY_SHARE,
  REQUEST_RATIOS,
  STATUS_MISSING_SHARE,
  WAITING,
  WAITLIST_CAPACITY,
  WAITLIST_SHARE,
} from "../facts/enrolment.ts";
import { STAFF_NAMED_LATER, STAFF_SHARE } from "../facts/sections.ts";
import { draw, percentiles } from "../random.ts";
import { demandAt, finalFill, isEvening, isInDemand, isIndividual, NO_LIMIT, SETTLED_AFTER } from "./enrolment.ts";
import { sectionComment } from "./section-comments.ts";
import type { CampusSection, ScheduledFinal } from "./section.ts";
import type { CampusTerm } from "./term-calendar.ts";

export interface SectionState {
  readonly cancelled: boolean;
  readonly instructors: readonly string[];
  readonly capacity: number;
  readonly enrolled: number;
  /** The number of students under this code, if the section is cross-listed. */
  readonly ownEnrolled: number | undefined;
  readonly requested: number;
  /** "" when it does not apply: the XML then holds the section's code. */
  readonly waitlist: string;
  readonly waitlistCapacity: string;
  readonly newOnly: string;
  readonly status: string;
  readonly statusMissing: boolean;
  readonly final: ScheduledFinal | "TBA" | undefined;
  /** HTML. */
  readonly comment: string;
}

/** The states of a term's sections at a campus time. */
export interface SectionStates {
  isListed(section: CampusSection, time: number): boolean;
  isCancelled(section: CampusSection, time: number): boolean;
  stateOn(section: CampusSection, time: number): SectionState;
}

export const drawnStates = (term: CampusTerm): SectionStates => ({
  isListed: (section, time) => isListed(section, term, time),
  isCancelled: (section, time) => isCancelled(section, term, time),
  stateOn: (section, time) => stateOn(section, term, time),
});

const requestRatio = percentiles(REQUEST_RATIOS);
const mostWaiting = percentiles(WAITING);
const newOnlySeats = percentiles(NEW_ONLY_SEATS);

/** The last hour of the term's last day: nothing changes afterwards. */
export const lastHour = (term: CampusTerm): number => term.finalsEnd + 23 / 24;
export const effectiveTime = (term: CampusTerm, now: number): number => Math.min(now, lastHour(term));

/** True once the section is in the schedule: a few are added while students enrol. */
export function isListed({ planSeed }: CampusSection, term: CampusTerm, time: number): boolean {
  if (draw(planSeed, 41) >= ADDED_SHARE) return true;
  return time >= between(term.announcedOn + 7, term.instructionStart + 3, draw(planSeed, 42));
}

export function isCancelled({ planSeed }: CampusSection, term: CampusTerm, time: number): boolean {
  if (draw(planSeed, 43) >= CANCELLED_SHARE) return false;
  return time >= between(term.announcedOn - 7, term.instructionStart + 7, draw(planSeed, 44));
}

export function stateOn(section: CampusSection, term: CampusTerm, time: number): SectionState {
  const { planSeed } = section;
  const capacity = capacityOn(section, term, time);
  const takesWaitlist =
    !term.summer && !isIndividual(section) && (isInDemand(section) || draw(planSeed, 45) < WAITLIST_SHARE);
  const hasWaitlist = takesWaitlist && time >= term.enrolmentOpens;
  const most = takesWaitlist && finalFill(section) >= 1 ? Math.round(mostWaiting(draw(planSeed, 46))) : 0;
  const { enrolled, ever, waiting } = demandAt(section, { capacity, waits: most }, term, time);
  const ownEnrolled = section.partner && ownShare(section, enrolled);
  const settled = time > term.instructionStart + SETTLED_AFTER;
  const waitlistCapacity = Math.max(1, Math.round(capacity * WAITLIST_CAPACITY));
  const full = enrolled >= capacity;
  const waits = !hasWaitlist || capacity === 0 || !full ? 0 : settled ? most : Math.min(waiting, waitlistCapacity);
  const reserved =
    !term.summer && draw(planSeed, 47) < NEW_ONLY_SHARE ? Math.round(newOnlySeats(draw(planSeed, 48))) : 0;
  const newOnly = reservedAt(Math.min(reserved, capacity), term, time);
  const status = full
    ? hasWaitlist && !settled && waits < waitlistCapacity
      ? "Waitl"
      : "FULL"
    : newOnly > 0 && capacity - enrolled <= newOnly
      ? "NewOnly"
      : "OPEN";
  const shownFields = draw(section.seed, 49);
  const cancelled = isCancelled(section, term, time);
  return {
    cancelled,
    instructors: instructorsOn(section, term, time),
    capacity,
    enrolled,
    ownEnrolled,
    requested: Math.round(ever * requestRatio(draw(section.seed, 50)) * (isEvening(section) ? EVENING_REQUESTS : 1)),
    waitlist: term.summer
      ? ""
      : hasWaitlist
        ? settled && waits > 0
          ? `off(${waits})`
          : String(waits)
        : shownFields < 0.12
          ? ""
          : "n/a",
    waitlistCapacity: term.summer ? "" : hasWaitlist ? String(waitlistCapacity) : shownFields < 0.4 ? "" : "0",
    newOnly: term.summer || (reserved === 0 && shownFields < 0.3) ? "" : String(newOnly),
    status,
    statusMissing: status !== "Waitl" && status !== "NewOnly" && draw(section.seed, 51) < STATUS_MISSING_SHARE,
    final: section.final !== undefined && time < term.finalsTableOn ? "TBA" : section.final,
    comment: sectionComment(section, cancelled),
  };
}

const between = (from: number, to: number, x: number): number => from + (to - from) * x;

function capacityOn({ planSeed, capacity }: CampusSection, term: CampusTerm, time: number): number {
  if (capacity < 10 || capacity >= NO_LIMIT || draw(planSeed, 52) >= CAPACITY_CHANGED_SHARE) return capacity;
  if (time < between(term.announcedOn, term.instructionStart + SETTLED_AFTER, draw(planSeed, 53))) return capacity;
  return Math.max(10, capacity + Math.round((draw(planSeed, 54) - 0.4) * 0.3 * capacity));
}

/** Seats for new students are released week by week before instruction. */
function reservedAt(reserved: number, { instructionStart }: CampusTerm, time: number): number {
  const weeks = Math.ceil((instructionStart - time) / 7);
  return Math.max(0, Math.round(reserved * Math.min(1, weeks / NEW_ONLY_RELEASED_FROM)));
}

function ownShare({ planSeed, holdsClass }: CampusSection, enrolled: number): number {
  const held = Math.round(enrolled * (0.4 + 0.5 * draw(planSeed, 58)));
  return holdsClass ? held : enrolled - held;
}

function instructorsOn(
  { planSeed, instructors, substitute }: CampusSection,
  term: CampusTerm,
  time: number,
): readonly string[] {
  const others = instructors.slice(1);
  if (
    substitute !== undefined &&
    time >= between(term.announcedOn + 20, term.instructionStart + 10, draw(planSeed, 59))
  ) {
    return [substitute, ...others.filter((name) => name !== substitute)];
  }
  const unnamed = draw(planSeed, 60) < STAFF_SHARE * STAFF_NAMED_LATER;
  const namedOn = between(term.announcedOn + 10, term.instructionStart, draw(planSeed, 61));
  return unnamed && time < namedOn ? ["STAFF", ...others.filter((name) => name !== "STAFF")] : instructors;
}
