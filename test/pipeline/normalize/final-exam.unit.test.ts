import { describe, expect, test } from "vitest";
import { toFinalExam } from "../../../pipeline/normalize/schedule/final-exam.ts";

function read(day: string, date: string, time = " 8:00-10:00am", year?: string) {
  const odd: string[] = [];
  const final = toFinalExam({ day, date, time }, [], (t) => odd.push(t), undefined, year);
  const { examStatus, dayOfWeek, month, day: dayOfMonth } = final;
  return { examStatus, dayOfWeek, month, day: dayOfMonth, odd };
}
const UNREADABLE = { examStatus: "TBA_FINAL", dayOfWeek: null, month: null, day: null };

describe("the date of a final", () => {
  test.each([
    ["Mon", "Dec 7"],
    ["Mon", "2026-12-07"],
    ["", "2026-12-07"],
    ["MONDAY", "DEC 7"],
    ["mon.", "december 7"],
    ["Mon", "Dec 7, 2026"],
  ])("%j %j is Monday, the seventh of December, with months counted from zero", (day, date) => {
    const expected = { examStatus: "SCHEDULED_FINAL", dayOfWeek: "Mon", month: 11, day: 7, odd: [] };
    expect(read(day, date)).toEqual(expected);
  });

  test.each([
    ["Tue", "2026-12-07"],
    ["", "2026-13-07"],
    ["", "2026-02-30"],
    ["", "07-12-2026"],
    ["Mon", "Feb 30"],
    ["Mon", "Dec 0"],
  ])("%j %j is TBA, and named", (day, date) => {
    expect(read(day, date)).toMatchObject({ ...UNREADABLE, odd: [`${day} ${date} 8:00-10:00am`.trim()] });
  });

  test("has the weekday that is printed, else that of the term's year", () => {
    expect(read("", "Dec 7", undefined, "2026")).toMatchObject({ dayOfWeek: "Mon", month: 11, day: 7, odd: [] });
    expect(read("Tue", "Dec 7", undefined, "2026")).toMatchObject({ dayOfWeek: "Tue", month: 11, day: 7 });
    expect(read("", "Feb 29", undefined, "2026").odd).toHaveLength(1);
  });

  test.each(["none", "No final", "n/a", "--"])("%s is no final", (text) => {
    expect(read("", "", text)).toEqual({ ...UNREADABLE, examStatus: "NO_FINAL", odd: [] });
  });

  test("is none where nothing is said, and not known yet where its time is to be announced", () => {
    expect([toFinalExam(undefined, [], () => {}).examStatus, read("", "", "").examStatus]).toEqual([
      "NO_FINAL",
      "NO_FINAL",
    ]);
    for (const time of ["TBA", "tbd", "Time: TBA @ ALP 100"])
      expect(read("", "", time)).toEqual({ ...UNREADABLE, odd: [] });
    // A place that is not known is no time.
    expect(read("Mon", "Dec 7", "8:00-10:00am @ TBA").examStatus).toBe("SCHEDULED_FINAL");
    expect(read("", "", "STBA").odd).toEqual(["STBA"]);
    expect(read("See Mon", "Dec 7").odd).toEqual(["See Mon Dec 7 8:00-10:00am"]);
    expect(read("", "Dec 7")).toEqual({ examStatus: "SCHEDULED_FINAL", dayOfWeek: null, month: 11, day: 7, odd: [] });
    expect(read("Mon", "Xyz 7").odd).toHaveLength(1);
    expect(read("Mon", "Dec 7", "noon").odd).toEqual(["Mon Dec 7 noon"]);
  });

  test("is where it is said to be, else in the first room of the first meeting", () => {
    const bldg = (time: string, ...rooms: string[][]) =>
      toFinalExam({ day: "Mon", date: "Dec 7", time }, rooms.map((room) => ({ bldg: room })) as never, () => {}).bldg;
    expect(bldg("8:00-10:00am @ HIB 100, , ALP 1300 ", ["ALP 1"])).toEqual(["HIB 100", "ALP 1300"]);
    expect(bldg("8:00-10:00am", ["ALP 1", "ALP 2"], ["ALP 3"])).toEqual(["ALP 1"]);
    expect(bldg("8:00-10:00am @ ", ["ALP 1"])).toEqual(["ALP 1"]);
    expect(bldg("8:00-10:00am")).toEqual([]);
  });

  test("its time may be on the 24-hour clock, as those of meetings", () => {
    const final = { day: "Mon", date: "2026-12-07", time: "13:30–15:30 @ HIB 100" };
    expect(toFinalExam(final, [], () => expect.unreachable())).toMatchObject({
      startTime: { hour: 13, minute: 30 },
      endTime: { hour: 15, minute: 30 },
      bldg: ["HIB 100"],
    });
  });
});
