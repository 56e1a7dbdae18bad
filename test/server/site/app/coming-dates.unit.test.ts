/** The coming days of the calendar, as home and the band of the week show them. */
import { expect, test } from "vitest";
import { comingDates, type SiteIndex } from "../../../../server/site/app/data/terms.ts";

const calendar = [
  {
    ...{ year: "2026", quarter: "Fall", instructionStart: "2026-09-24", instructionEnd: "2026-12-04" },
    ...{ finalsStart: "2026-12-05", finalsEnd: "2026-12-11" },
  },
  {
    ...{ year: "2027", quarter: "Winter", instructionStart: "2027-01-04", instructionEnd: "2027-03-12" },
    ...{ finalsStart: "2027-03-13", finalsEnd: "2027-03-19" },
  },
];
const on = (day: string) => {
  const site = { snapshot: { calendar } } as unknown as SiteIndex;
  return comingDates(site, day).map(({ date, what }) => `${date} ${what}`);
};

test("today's event is the first, yesterday's is gone, and the only term in session is not named", () => {
  expect(on("2026-12-05").slice(0, 3)).toEqual([
    "2026-12-05 Finals begin",
    "2026-12-11 Finals end",
    "2027-01-04 Winter 2027 begins",
  ]);
  expect(on("2026-12-12")[0]).toBe("2027-01-04 Winter 2027 begins");
  expect(on("2026-12-12")[1]).toBe("2027-03-12 Instruction ends, Winter 2027");
  expect(on("2027-03-20")).toEqual([]);
});
