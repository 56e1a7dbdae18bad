/** Seats of a section. */
import { countIn } from "../format.ts";
import type { SectionLine } from "./sections.ts";

/** Undefined of a cancelled section, and where the schedule does not say it. */
export function seatsLeft({ maxCapacity, numCurrentlyEnrolled, isCancelled }: SectionLine): number | undefined {
  const [all, taken] = [countIn(maxCapacity), countIn(numCurrentlyEnrolled.totalEnrolled)];
  return isCancelled || all === undefined || taken === undefined ? undefined : Math.max(0, all - taken);
}
