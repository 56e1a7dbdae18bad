/** How the site says times, numbers and terms. */
import { expect, it } from "vitest";
import { termRange } from "../../../../server/site/app/data/term-order.ts";
import {
  ago,
  day,
  formatMeeting,
  moment,
  olderTermsText,
  plural,
  share,
  size,
} from "../../../../server/site/app/format.ts";

it("says ranges of terms and years in the order of time", () => {
  const parts = ["2014 Fall", "2014 Summer1", "2014 Summer10wk", "2027 Spring", "2027 Winter", "2027 Winter"];
  expect(termRange(parts)).toBe("5: 2014 Summer1 to 2027 Spring");
  expect([termRange([]), termRange(["2026", "2026"]), termRange(["2026", "2014"])]).toEqual([
    "",
    "2026",
    "2: 2014 to 2026",
  ]);
});

const at = (start: [number, number], end: [number, number]) =>
  formatMeeting({
    timeIsTBA: false,
    days: "TuThF",
    startTime: { hour: start[0], minute: start[1] },
    endTime: { hour: end[0], minute: end[1] },
    bldg: ["PCB 184", "TBA"],
  });

it("says meetings on the twelve-hour clock, also past midnight", () => {
  expect(at([9, 30], [10, 50])).toEqual({ at: "TuThF 9:30–10:50 am", where: "PCB 184" });
  expect(at([12, 0], [13, 5]).at).toBe("TuThF 12:00–1:05 pm");
  expect(at([23, 0], [25, 20]).at).toBe("TuThF 11:00 pm–1:20 am");
  expect(formatMeeting({ timeIsTBA: true, days: null, startTime: null, endTime: null, bldg: ["TBA"] })).toEqual({
    at: "time TBA",
    where: "place TBA",
  });
});

it("says numbers and days as people read them", () => {
  expect([plural(1, "row"), plural(1234, "row"), plural(2, "more", "more")]).toEqual(["1 row", "1,234 rows", "2 more"]);
  expect([share(1, 3), share(1, 300), share(0, 0)]).toEqual(["33%", "0.3%", "0%"]);
  expect([size(1), size(999_001), size(6_400_000)]).toEqual(["1 KB", "1000 KB", "6.4 MB"]);
  const now = new Date("2026-11-20T12:00:00Z");
  expect([day("2026-11-20", now), day("2025-09-05", now)]).toEqual(["Nov 20", "Sep 5, 2025"]);
  // The campus is eight hours behind, in summer seven, and the clock has twelve hours.
  expect(moment("2026-11-20T20:00:00Z", now)).toBe("Nov 20, 12:00 pm");
  expect(moment("2026-07-05T06:59:00Z", now)).toBe("Jul 4, 11:59 pm");
  expect(moment("2026-01-01T07:00:00Z", now)).toBe("Dec 31, 2025, 11:00 pm");
  expect(ago(new Date("2026-11-20T11:48:00Z"), now)).toBe("12 minutes ago");
  expect(ago(new Date("2026-11-22T12:00:00Z"), now)).toBe("in 2 days");
});

it("measures a first build in terms", () => {
  expect(olderTermsText(15, 64)).toBe("older terms are being added, 15 of 79 are published");
});
