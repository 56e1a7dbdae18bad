/** Which seats of a section are open to the reader. */
import { countIn } from "../format.ts";
import { isOpen } from "./is-open.ts";
import type { SectionLine } from "./sections.ts";

type Seats = Pick<
  SectionLine,
  "status" | "isCancelled" | "maxCapacity" | "numCurrentlyEnrolled" | "numNewOnlyReserved"
>;

/** Undefined where the schedule does not say it. */
function freeSeats({ maxCapacity, numCurrentlyEnrolled }: Seats): number | undefined {
  const [all, taken] = [countIn(maxCapacity), countIn(numCurrentlyEnrolled.totalEnrolled)];
  return all === undefined || taken === undefined ? undefined : Math.max(0, all - taken);
}

/** Counts the free seats that are reserved for new students. */
export function reservedSeats(section: Seats): number {
  const { status, isCancelled, numNewOnlyReserved } = section;
  if (isCancelled || status === "FULL" || status === "Waitl") return 0;
  const free = freeSeats(section) ?? 0;
  return status === "NewOnly" ? free : Math.min(free, countIn(numNewOnlyReserved) ?? 0);
}

/** Counts the seats that the reader can take; undefined for a cancelled section, and if the schedule has no numbers. */
export function seatsLeft(section: Seats, isNew: boolean): number | undefined {
  const free = freeSeats(section);
  if (section.isCancelled || free === undefined) return undefined;
  if (!isOpen(section, isNew)) return 0;
  return isNew ? free : free - reservedSeats(section);
}
