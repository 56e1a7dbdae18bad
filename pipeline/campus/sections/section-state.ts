/**
 * The state of a section on a campus day: seats, waitlist, status, instructors, whether it is listed or cancelled. A pure function of the section
 * and the day; nothing changes after the term's last day.
 */
import {
  ADDED_SHARE,
  CANCELLED_SHARE,
  CAPACITY_CHANGED_SHARE,
  FILL_CURVE,
  INDIVIDUAL_FILLS,
  MAIN_FILLS,
  NEW_ONLY_SEATS,
  NEW_ONLY_SHARE,
  REQUEST_RATIOS,
  STATUS_MISSING_SHARE,
  WAITING,
  WAITLIST_CAPACITY,
  WAITLIST_SHARE,
} from "../facts/enrolment.ts";
import { INDIVIDUAL_KINDS, STAFF_NAMED_LATER, STAFF_SHARE } from "../facts/sections.ts";
import { draw, percentiles } from "../random.ts";
import { sectionComment } from "./section-comments.ts";
import type { CampusSection, ScheduledFinal } from "./section.ts";
import { isGiant } from "./sections.ts";
import type { CampusTerm } from "./term-calendar.ts";

export interface SectionState {
  readonly cancelled: boolean;
  readonly instructors: readonly string[];
  readonly capacity: number;
  readonly enrolled: number;
  /** Of a cross-listed section: those who enrolled under this code. */
  readonly ownEnrolled: number | undefined;
  readonly requested: number;
  /** "" when it does not apply: the XML then has the section's own code. */
  readonly waitlist: string;
  readonly waitlistCapacity: string;
  readonly newOnly: string;
  readonly status: string;
  readonly statusMissing: boolean;
  readonly final: ScheduledFinal | "TBA" | undefined;
  /** HTML. */
  readonly comment: string;
}

/** What the sections of a term look like on a day. */
export interface SectionStates {
  isListed(section: CampusSection, day: number): boolean;
  isCancelled(section: CampusSection, day: number): boolean;
  stateOn(section: CampusSection, day: number): SectionState;
}

export const drawnStates = (term: CampusTerm): SectionStates => ({
  isListed: (section, day) => isListed(section, term, day),
  isCancelled: (section, day) => isCancelled(section, term, day),
  stateOn: (section, day) => stateOn(section, term, day),
});

const mainFill = percentiles(MAIN_FILLS);
const individualFill = percentiles(INDIVIDUAL_FILLS);
const requestRatio = percentiles(REQUEST_RATIOS);
const waiting = percentiles(WAITING);
const newOnlySeats = percentiles(NEW_ONLY_SEATS);

/** Students come and go until two weeks after instruction begins; then waitlists are off. */
const SETTLED_AFTER = 14;
/** A capacity from here on means no limit. */
const NO_LIMIT = 900;

/** The day, at most that of the term's last final: nothing changes afterwards. */
export const effectiveDay = (term: CampusTerm, today: number): number => Math.min(today, term.finalsEnd);

/** Whether the section is in the schedule yet: a few are added while students enrol. */
export function isListed({ planSeed }: CampusSection, term: CampusTerm, day: number): boolean {
  if (draw(planSeed, 41) >= ADDED_SHARE) return true;
  return day >= between(term.announcedOn + 7, term.instructionStart + 3, draw(planSeed, 42));
}

export function isCancelled({ planSeed }: CampusSection, term: CampusTerm, day: number): boolean {
  if (draw(planSeed, 43) >= CANCELLED_SHARE) return false;
  return day >= between(term.announcedOn - 7, term.instructionStart + 7, draw(planSeed, 44));
}

export function stateOn(section: CampusSection, term: CampusTerm, day: number): SectionState {
  const { planSeed } = section;
  const capacity = capacityOn(section, term, day);
  const enrolled = enrolledOn(section, capacity, term, day);
  const ownEnrolled = section.partner && ownShare(section, enrolled);
  const open = day >= term.enrolmentOpens;
  const hasWaitlist = !term.summer && open && !isIndividual(section) && draw(planSeed, 45) < WAITLIST_SHARE;
  const waits = hasWaitlist && capacity > 0 && enrolled >= capacity ? Math.round(waiting(draw(planSeed, 46))) : 0;
  const settled = day > term.instructionStart + SETTLED_AFTER;
  const waitlistCapacity = Math.max(1, Math.round(capacity * WAITLIST_CAPACITY));
  const reserved =
    !term.summer && draw(planSeed, 47) < NEW_ONLY_SHARE ? Math.round(newOnlySeats(draw(planSeed, 48))) : 0;
  const newOnly = day < term.instructionStart ? reserved : 0;
  const full = enrolled >= capacity;
  const status = full
    ? hasWaitlist && !settled && waits < waitlistCapacity
      ? "Waitl"
      : "FULL"
    : newOnly > 0 && capacity - enrolled <= newOnly
      ? "NewOnly"
      : "OPEN";
  const shownFields = draw(section.seed, 49);
  const cancelled = isCancelled(section, term, day);
  return {
    cancelled,
    instructors: instructorsOn(section, term, day),
    capacity,
    enrolled,
    ownEnrolled,
    requested: Math.round(enrolled * requestRatio(draw(section.seed, 50))),
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
    final: section.final !== undefined && day < term.finalsTableOn ? "TBA" : section.final,
    comment: sectionComment(section, cancelled),
  };
}

const between = (from: number, to: number, x: number): number => Math.floor(from + (to - from) * x);

const isIndividual = ({ offering }: CampusSection): boolean => INDIVIDUAL_KINDS.has(offering.course.kind);

function capacityOn({ planSeed, capacity }: CampusSection, term: CampusTerm, day: number): number {
  if (capacity < 10 || capacity >= NO_LIMIT || draw(planSeed, 52) >= CAPACITY_CHANGED_SHARE) return capacity;
  if (day < between(term.announcedOn, term.instructionStart + SETTLED_AFTER, draw(planSeed, 53))) return capacity;
  return Math.max(10, capacity + Math.round((draw(planSeed, 54) - 0.4) * 0.3 * capacity));
}

function enrolledOn(section: CampusSection, capacity: number, term: CampusTerm, day: number): number {
  if (day < term.enrolmentOpens || capacity === 0) return 0;
  const { planSeed } = section;
  const x = draw(planSeed, 55);
  const seats =
    capacity >= NO_LIMIT && !isGiant(section.offering.course) ? 10 + Math.floor(draw(planSeed, 56) * 50) : capacity;
  const fill = isGiant(section.offering.course) ? 0.97 : isIndividual(section) ? individualFill(x) : mainFill(x);
  const last = seats * fill;
  const count = Math.round(last * shareOn(term, day, draw(planSeed, 57)));
  // Enrolment fluctuates on about every sixth day.
  const restless = count > 3 && draw(planSeed, 1000 + day) < 0.16 ? (draw(planSeed, 900_000 + day) < 0.5 ? -1 : 1) : 0;
  return fill <= 1 ? Math.min(count + restless, seats) : count + restless;
}

/** How far enrolment has come; each section runs up to ten days ahead of the mean or behind it. */
function shareOn(term: CampusTerm, day: number, x: number): number {
  const length = term.instructionStart + SETTLED_AFTER - term.enrolmentOpens;
  const progress = (day - term.enrolmentOpens + (x - 0.5) * 20) / length;
  if (progress <= 0) return 0;
  const last = FILL_CURVE.length - 1;
  if (progress >= 1) return (FILL_CURVE[last] as number) - 0.0006 * Math.min(60, day - term.instructionStart);
  const at = Math.floor(progress * last);
  const from = FILL_CURVE[at] as number;
  return from + ((FILL_CURVE[at + 1] as number) - from) * (progress * last - at);
}

function ownShare({ planSeed, holdsClass }: CampusSection, enrolled: number): number {
  const held = Math.round(enrolled * (0.4 + 0.5 * draw(planSeed, 58)));
  return holdsClass ? held : enrolled - held;
}

function instructorsOn(
  { planSeed, instructors, substitute }: CampusSection,
  term: CampusTerm,
  day: number,
): readonly string[] {
  const others = instructors.slice(1);
  if (
    substitute !== undefined &&
    day >= between(term.announcedOn + 20, term.instructionStart + 10, draw(planSeed, 59))
  ) {
    return [substitute, ...others.filter((name) => name !== substitute)];
  }
  const unnamed = draw(planSeed, 60) < STAFF_SHARE * STAFF_NAMED_LATER;
  const namedOn = between(term.announcedOn + 10, term.instructionStart, draw(planSeed, 61));
  return unnamed && day < namedOn ? ["STAFF", ...others.filter((name) => name !== "STAFF")] : instructors;
}
