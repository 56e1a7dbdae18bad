/** When sections clash, and where there is hardly time to walk. */
import { describe, expect, it } from "vitest";
import {
  clashesOf,
  finalBlocks,
  finalClashesOf,
  lanesOf,
  totalUnits,
  walksOf,
  weekBlocks,
} from "../../../../server/site/app/plan/clashes.ts";
import { fitting } from "../../../../server/site/app/find/order.ts";
import { meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";

type Row = ReturnType<typeof sectionRow>;

const section = (sectionCode: string, ...meetings: Row["meetings"]) => sectionRow({ sectionCode, meetings });
const at = (days: string, start: string, end: string, ...places: string[]) => meeting(days, start, end, ...places);
const clashing = (...sections: Row[]) =>
  clashesOf(weekBlocks(sections)).map(({ sections: both, days, minutes }) => [
    both.map(({ sectionCode }) => sectionCode).join(),
    days.join(),
    minutes,
  ]);

describe("two sections", () => {
  it("clash for as long as both meet, on every day on which they do", () => {
    const [one, other] = [
      section("00001", at("TuTh", "13:00", "14:20")),
      section("00002", at("MTuW", "14:00", "15:00")),
    ];
    expect(clashing(one, other)).toEqual([["00001,00002", "2", 20]]);
    expect(clashing(other, one)).toEqual([["00001,00002", "2", 20]]);
    expect(clashing(section("00001", at("MWF", "9:00", "9:50")), section("00002", at("MF", "9:00", "9:50")))).toEqual([
      ["00001,00002", "1,5", 50],
    ]);
  });

  it("do not clash where one begins when the other ends, or on other days", () => {
    expect(clashing(section("00001", at("M", "9:00", "9:50")), section("00002", at("M", "9:50", "10:40")))).toEqual([]);
    expect(clashing(section("00001", at("M", "9:00", "9:50")), section("00002", at("Th", "9:00", "9:50")))).toEqual([]);
    expect(clashing(section("00001", at("Sa", "9:00", "9:50")), section("00002", at("Su", "9:00", "9:50")))).toEqual(
      [],
    );
  });

  it("clash by any of their meetings, the longest overlap counts; a section never clashes with itself", () => {
    const many = section("00001", at("M", "9:00", "9:50"), at("W", "9:00", "11:00"), at("W", "9:30", "10:00"));
    expect(clashing(many)).toEqual([]);
    expect(clashing(many, section("00002", at("MW", "9:40", "10:40")))).toEqual([["00001,00002", "1,3", 60]]);
  });

  it("do not clash without a time; past midnight is the next day", () => {
    expect(
      clashing(section("00001", tba()), section("00002", at("M", "9:00", "9:50")), section("00003", tba())),
    ).toEqual([]);
    expect(clashing(section("00001", at("M", "23:00", "25:00")), section("00002", at("Tu", "0:30", "2:00")))).toEqual([
      ["00001,00002", "2", 30],
    ]);
  });
});

describe("finals", () => {
  const final = (sectionCode: string, day: number, hour: number, change: Partial<Row> = {}) =>
    sectionRow({
      sectionCode,
      courseNumber: sectionCode,
      finalExam: {
        examStatus: "SCHEDULED_FINAL",
        dayOfWeek: "Mon",
        month: 11,
        day,
        startTime: { hour, minute: 0 },
        endTime: { hour: hour + 2, minute: 0 },
        bldg: null,
      },
      ...change,
    });
  const finals = (...sections: Row[]) => finalClashesOf(finalBlocks(sections, "2024"));

  it("clash on one day at one time only", () => {
    expect(finals(final("1", 9, 8), final("2", 9, 9)).map(({ minutes }) => minutes)).toEqual([60]);
    expect(finals(final("1", 9, 8), final("2", 9, 10), final("3", 10, 8))).toEqual([]);
    expect(finalBlocks([final("1", 9, 8)], "2024")[0]?.day).toBe(Date.UTC(2024, 11, 9) / 86_400_000);
  });

  it("are one where the course is one, and none where they have no time", () => {
    expect(finals(final("1", 9, 8, { courseNumber: "5" }), final("2", 9, 8, { courseNumber: "5" }))).toEqual([]);
    expect(finalBlocks([sectionRow()], "2024")).toEqual([]);
  });
});

describe("walks", () => {
  const walks = (...sections: Row[]) =>
    walksOf(weekBlocks(sections)).map(({ minutes, days }) => [minutes, days.join()]);
  const first = section("00001", at("TuTh", "9:00", "9:50", "HIB 100"));

  it("are pointed out where there are less than ten minutes to another building", () => {
    expect(walks(first, section("00002", at("TuTh", "9:55", "10:45", "RH 101")))).toEqual([[5, "2,4"]]);
    expect(walks(first, section("00002", at("Th", "9:50", "10:45", "RH 101")))).toEqual([[0, "4"]]);
  });

  it.each([
    ["ten minutes", at("Tu", "10:00", "10:50", "RH 101")],
    ["the same building", at("Tu", "9:55", "10:45", "HIB 200")],
    ["no building", at("Tu", "9:55", "10:45", "ON LINE")],
    ["an unknown place", at("Tu", "9:55", "10:45", "TBA")],
    ["another day", at("W", "9:55", "10:45", "RH 101")],
  ])("are not with %s", (_name, next) => {
    expect(walks(first, section("00002", next))).toEqual([]);
  });
});

it("blocks that overlap stand beside each other, others have the whole width", () => {
  const blocks = weekBlocks([
    section("00001", at("M", "9:00", "11:00")),
    section("00002", at("M", "9:30", "10:00")),
    section("00003", at("M", "10:00", "11:30")),
    section("00004", at("M", "11:30", "12:00")),
  ]);
  expect(lanesOf(blocks).map(({ block, lane, lanes }) => [block.section.sectionCode, lane, lanes])).toEqual([
    ["00001", 0, 2],
    ["00002", 1, 2],
    ["00003", 1, 2],
    ["00004", 0, 1],
  ]);
});

it("units add up, also as ranges", () => {
  expect([
    totalUnits([]),
    totalUnits(["4", "0", "4"]),
    totalUnits(["4", "2-12"]),
    totalUnits(["1.3", "1.3", "1.3"]),
  ]).toEqual(["0", "8", "6–16", "3.9"]);
});

it("what fits a plan clashes with no section of it that is given; those of the plan fit themselves", () => {
  const plan = [
    { ...section("00001", at("M", "9:00", "9:50")), isCancelled: false },
    { ...section("00002", at("W", "9:00", "9:50")), isCancelled: true },
  ] as unknown as Parameters<typeof fitting>[1];
  const found = [
    section("00001", at("M", "9:00", "9:50")),
    section("00003", at("M", "9:30", "10:00")),
    section("00004", at("W", "9:30", "10:00")),
    section("00005", at("F", "9:00", "9:50")),
  ] as unknown as Parameters<typeof fitting>[0];
  expect(fitting(found, plan, "2026").map(({ sectionCode }) => sectionCode)).toEqual(["00001", "00004", "00005"]);
});
