/** A place for each test, in which days are recorded and older history is imported, and the text of a history. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { FALL, type HistoryDays, openHistoryDays, type sectionOf } from "../../support/published/history-days.ts";
import { openFolder } from "../../support/whole-run.ts";

let place: Awaited<ReturnType<typeof openFolder>>;
let recorded: HistoryDays;
export const folder = () => place;
export const days = () => recorded;

/** Call it where the tests are declared. */
export function recordDays(): void {
  beforeEach(async () => {
    place = await openFolder();
    await mkdir(join(place.data, "enrollment"), { recursive: true });
    recorded = await openHistoryDays(place);
  });
  afterEach(async () => {
    recorded.close();
    await place.remove();
  });
}

export const saw = (...sections: ReturnType<typeof sectionOf>[]) => [{ term: FALL, sections }];
export const drop = (name: string, text: string) => writeFile(join(place.data, "enrollment", name), text);

/** `2022-05-17..2022-05-18 12` for a period with twelve enrolled; an imported one ends in `*`. */
export const shown = ({ first, last, totalEnrolled, imported }: EnrollmentPeriod) =>
  `${first === last ? first : `${first}..${last}`} ${totalEnrolled}${imported ? "*" : ""}`;
export async function history(code = "35730"): Promise<string[] | undefined> {
  const row = (await recorded.rows(FALL)).find(({ sectionCode }) => sectionCode === code);
  return row?.periods.map(shown);
}
export const described = async (
  code = "35730",
): Promise<Partial<EnrollmentHistory & { periods: EnrollmentPeriod[] }>> =>
  (await recorded.rows(FALL)).find(({ sectionCode }) => sectionCode === code) ?? {};

export const HEADER =
  "year,quarter,sectionCode,date,maxCapacity,totalEnrolled,waitlist,waitlistCap,requested,newOnlyReserved,status";

export const csv = (...rows: string[]) => `${[HEADER, ...rows].join("\n")}\n`;
export const row = (date: string, count: number, code = "35730") =>
  `2022,Fall,${code},${date},330,${count},n/a,0,0,,OPEN`;
