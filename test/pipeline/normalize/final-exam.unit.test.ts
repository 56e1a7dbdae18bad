import { describe, expect, test } from "vitest";
import { toFinalExam } from "../../../pipeline/normalize/schedule/final-exam.ts";

function read(day: string, date: string, time = " 8:00-10:00am") {
  const odd: string[] = [];
  const { examStatus, dayOfWeek, month, day: dayOfMonth } = toFinalExam({ day, date, time }, [], (t) => odd.push(t));
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
  ])("%j %j is Monday, the seventh of December, with months counted from zero", (day, date) => {
    const expected = { examStatus: "SCHEDULED_FINAL", dayOfWeek: "Mon", month: 11, day: 7, odd: [] };
    expect(read(day, date)).toEqual(expected);
  });

  test.each([
    ["Tue", "2026-12-07"],
    ["", "2026-13-07"],
    ["", "2026-02-30"],
    ["", "07-12-2026"],
  ])("%j %j is TBA, and named", (day, date) => {
    expect(read(day, date)).toMatchObject({ ...UNREADABLE, odd: [`${day} ${date} 8:00-10:00am`.trim()] });
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
