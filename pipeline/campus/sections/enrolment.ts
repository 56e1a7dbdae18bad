/**
 * The demand for a section, hour by hour: enrolment follows from it and the seats. A pure function of the section and
 * the campus time.
 */
import { weekdayOf } from "../days.ts";
import {
  CHURN_HOURS,
  CHURN_SHARE,
  DROP_DAYS,
  DROPPED_SHARE,
  EVENING_FILL_FROM,
  EVENING_SLOT,
  FILL_CURVE,
  HOUR_ACTIVITY,
  IN_DEMAND_SHARE,
  INDIVIDUAL_FILLS,
  MAIN_FILLS,
  WEEKDAY_ACTIVITY,
} from "../facts/enrolment.ts";
import { INDIVIDUAL_KINDS } from "../facts/sections.ts";
import { draw, percentiles } from "../random.ts";
import type { CampusSection } from "./section.ts";
import { isGiant } from "./sections.ts";
import type { CampusTerm } from "./term-calendar.ts";

const mainFill = percentiles(MAIN_FILLS);
const individualFill = percentiles(INDIVIDUAL_FILLS);

/** Students come and go until two weeks after instruction begins; then waitlists are off. */
export const SETTLED_AFTER = 14;
/** A capacity of at least this means no limit. */
export const NO_LIMIT = 900;

export const isIndividual = ({ offering }: CampusSection): boolean => INDIVIDUAL_KINDS.has(offering.course.kind);

/** Lectures that are full a day after enrolment opens, in every term. */
export const isInDemand = ({ offering: { course }, type }: CampusSection): boolean =>
  type === "Lec" && course.digits < 200 && draw((course.mirrorOf ?? course).seed, 85) < IN_DEMAND_SHARE;

/** True for classes after work. */
export const isEvening = ({ meetings }: CampusSection): boolean => {
  const start = meetings[0]?.time?.start ?? 0;
  return start >= EVENING_SLOT.from && start < EVENING_SLOT.to;
};

export interface Demand {
  /** Students who are enrolled if there is a seat for each. */
  readonly enrolled: number;
  /** Students without a seat. */
  readonly waiting: number;
  /** Students who ever had a seat. */
  readonly ever: number;
}

/**
 * `waits` is the number of students without a seat at the height of enrolment. The final number of every section does
 * not depend on `waits`.
 */
export function demandAt(
  section: CampusSection,
  { capacity, waits }: { readonly capacity: number; readonly waits: number },
  term: CampusTerm,
  time: number,
): Demand {
  if (time < term.enrolmentOpens || capacity === 0) return { enrolled: 0, waiting: 0, ever: 0 };
  const { planSeed } = section;
  const seats =
    capacity >= NO_LIMIT && !isGiant(section.offering.course) ? 10 + Math.floor(draw(planSeed, 56) * 50) : capacity;
  const fill = finalFill(section);
  const beyond = fill < 1 ? 0 : waits * (1 - clamp((time - term.instructionStart) / SETTLED_AFTER));
  const share = shareAt(section, term, time);
  const steady = Math.round((seats * fill + beyond) * share.now);
  const wanted = steady > 3 ? steady + restlessAt(section, term, time) : steady;
  const enrolled = fill <= 1 ? Math.min(wanted, seats) : Math.min(wanted, Math.round(seats * fill) + 1);
  return { enrolled, waiting: wanted - enrolled, ever: Math.round(seats * fill * share.most) };
}

/** Enrolment at its height, relative to the seats. */
export function finalFill(section: CampusSection): number {
  const x = draw(section.planSeed, 55);
  if (isGiant(section.offering.course)) return 0.97;
  if (isIndividual(section)) return individualFill(x);
  if (isInDemand(section)) return 1;
  return mainFill(isEvening(section) ? EVENING_FILL_FROM + (0.97 - EVENING_FILL_FROM) * x : x);
}

interface Share {
  readonly now: number;
  /** The maximum so far. */
  readonly most: number;
}

/** The progress of enrolment; popular sections run ahead of the mean, others behind it. */
function shareAt(section: CampusSection, term: CampusTerm, time: number): Share {
  const { planSeed } = section;
  const sinceStart = time - term.instructionStart;
  if (sinceStart >= SETTLED_AFTER)
    return { now: SETTLED_SHARE - 0.0006 * Math.min(60, Math.floor(sinceStart)), most: 1 };
  const length = SETTLED_AFTER + term.instructionStart - term.enrolmentOpens;
  const progress = clamp((activeDays(time) - activeDays(term.enrolmentOpens)) / length);
  const point = progress ** (2 ** (1.6 * (draw(planSeed, 57) - 0.5))) * LAST_POINT;
  const first = isInDemand(section) ? rush(planSeed, time - term.enrolmentOpens) : undefined;
  const remaining = 1 - droppedAt(planSeed, sinceStart);
  return { now: (first ?? along(FILL_CURVE, point)) * remaining, most: first ?? along(HIGHEST, point) };
}

const LAST_POINT = FILL_CURVE.length - 1;
const SETTLED_SHARE = FILL_CURVE[LAST_POINT] as number;
const HIGHEST = FILL_CURVE.map((_, i) => Math.max(...FILL_CURVE.slice(0, i + 1)));

function along(curve: readonly number[], point: number): number {
  const segment = Math.min(LAST_POINT - 1, Math.floor(point));
  const from = curve[segment] as number;
  return from + ((curve[segment + 1] as number) - from) * (point - segment);
}

/**
 * The first day of a section in demand: from empty to full along an S curve, within seven to eighteen hours of its
 * morning.
 */
function rush(seed: number, days: number): number {
  const x = clamp((days * 24 - 7) / (4 + 11 * draw(seed, 62)));
  return x * x * (3 - 2 * x);
}

/**
 * Students who do not attend when instruction begins are dropped, and so are waitlists; the seats go to others within
 * some days.
 */
function droppedAt(seed: number, sinceStart: number): number {
  const x = clamp(sinceStart / DROP_DAYS);
  return x === 0 || x === 1 ? 0 : DROPPED_SHARE * (0.5 + draw(seed, 63)) * Math.sin(Math.PI * Math.sqrt(x));
}

/**
 * A student more or less on about every sixth day, from an hour of the day to an hour of the next; some sections keep
 * losing a student and finding another.
 */
function restlessAt({ planSeed }: CampusSection, term: CampusTerm, time: number): number {
  const hours = Math.round(time * 24);
  const [today, hour] = [Math.floor(hours / 24), hours % 24];
  const day = hour >= Math.floor(draw(planSeed, 64) * 24) ? today : today - 1;
  const daily = draw(planSeed, 1000 + day) < 0.16 ? (draw(planSeed, 900_000 + day) < 0.5 ? -1 : 1) : 0;
  const churns = today < term.finalsEnd && draw(planSeed, 65) < CHURN_SHARE;
  return churns && Math.floor((hours + planSeed) / CHURN_HOURS) % 2 === 0 ? daily - 1 : daily;
}

const dayTotal = HOUR_ACTIVITY.reduce((sum, weight) => sum + weight, 0);
/** The share of a day's enrolment before each hour, and of a week's before each weekday, from Sunday. */
const beforeHour = HOUR_ACTIVITY.map((_, i) => HOUR_ACTIVITY.slice(0, i).reduce((a, b) => a + b, 0) / dayTotal);
const beforeWeekday = WEEKDAY_ACTIVITY.map((_, i) => WEEKDAY_ACTIVITY.slice(0, i).reduce((a, b) => a + b, 0));

/** Days as students use them: weekends are short, and hardly anything happens at night. A week still has seven. */
function activeDays(time: number): number {
  const hours = Math.round(time * 24);
  const day = Math.floor(hours / 24);
  const weekday = weekdayOf(day);
  const share = beforeHour[hours % 24] as number;
  return day - weekday + (beforeWeekday[weekday] as number) + (WEEKDAY_ACTIVITY[weekday] as number) * share;
}

const clamp = (x: number): number => Math.min(1, Math.max(0, x));
