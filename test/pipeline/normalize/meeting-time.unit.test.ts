import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockOf, toMeetings, toTimeRange } from "../../../pipeline/normalize/schedule/meeting-time.ts";

const clock = (text: string) => {
  const [hour, minute] = text.split(":").map(Number);
  return { hour, minute };
};

const text = (minutes: number) => `${Math.floor(minutes / 60) % 12 || 12}:${String(minutes % 60).padStart(2, "0")}`;

const line = (days: string, bldg: string) => ({ days, time: "TBA", bldg, room: "1" });

describe("toTimeRange", () => {
  it.each([
    [" 8:00- 8:50", "8:00", "8:50"],
    ["10:00-10:50", "10:00", "10:50"],
    [" 3:30- 4:50p", "15:30", "16:50"],
    ["11:00-12:20p", "11:00", "12:20"],
    ["12:00-12:50p", "12:00", "12:50"],
    ["12:30- 1:50p", "12:30", "13:50"],
    ["11:00- 2:50p", "11:00", "14:50"],
    [" 7:00- 9:50p", "19:00", "21:50"],
    [" 9:00-12:50p", "9:00", "12:50"],
    ["10:30-12:30pm", "10:30", "12:30"],
    [" 1:30- 3:30pm", "13:30", "15:30"],
    ["8:00-10:00am", "8:00", "10:00"],
    ["11:00- 1:50", "23:00", "25:50"],
    ["8:00am-8:50am", "8:00", "8:50"],
    ["8:00 AM - 8:50 AM", "8:00", "8:50"],
    ["11:00am-12:20pm", "11:00", "12:20"],
    ["12:00pm-1:20pm", "12:00", "13:20"],
    ["9:00 a.m. - 3:50 p.m.", "9:00", "15:50"],
    ["11:00pm-1:00am", "23:00", "25:00"],
    ["13:00-14:50", "13:00", "14:50"],
    ["10:00-13:20", "10:00", "13:20"],
    ["08:00-13:00", "8:00", "13:00"],
    ["13:00-14:50pm", "13:00", "14:50"],
    ["8:00-8:50", "8:00", "8:50"],
    [" 3:30– 4:50p", "15:30", "16:50"],
    ["13:00−14:50", "13:00", "14:50"],
    ["8:00‑8:50", "8:00", "8:50"],
    ["09:00-12:50", "9:00", "12:50"],
    ["00:10-01:00", "0:10", "1:00"],
    ["09:00-12:50p", "9:00", "12:50"],
    ["13:00:00-14:50:00", "13:00", "14:50"],
    ["1300-1450", "13:00", "14:50"],
    ["3.30 - 4.50 pm", "15:30", "16:50"],
    ["9:00 AM to 12:50 PM", "9:00", "12:50"],
    // A meeting of no length, at noon and at midnight.
    ["9:00-9:00", "9:00", "9:00"],
    ["12:00-12:00p", "12:00", "12:00"],
    ["13:00-13:00", "13:00", "13:00"],
    // A half of the day counts before a zero in front.
    ["02:00-03:50p", "14:00", "15:50"],
    ["12:00pm-12:00am", "12:00", "24:00"],
  ])("reads %j as %s to %s", (text, start, end) => {
    expect(toTimeRange(text)).toEqual({ startTime: clock(start), endTime: clock(end) });
  });

  it.each([
    "",
    "TBA",
    "noon",
    "0:00-1:00",
    "8:60-9:00",
    "8:00",
    "8:00-9:00x",
    "8:00-9:00 @ ALP",
    "8:00am-8:50",
    "2:00pm-1:00pm",
    "14:50-13:00",
    "22:00-1:00",
    "13:00-14:50am",
    "13:00am-14:50",
    "22:00-24:00",
    "11:00am-10:00am",
    "1:00pm-12:00pm",
  ])("does not take %j for a range of times", (text) => {
    expect(toTimeRange(text)).toBeUndefined();
  });

  const on24 = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  it("reads every time of a page that is on the 24-hour clock by that", () => {
    const page = ["8:00-8:50", "11:00-12:20", "TBA", "12:00-12:50", "13:00-13:50"];
    const read = (times: string[]) => times.map((time) => toTimeRange(time, clockOf(times))?.endTime.hour);
    expect(read(page)).toEqual([8, 12, undefined, 12, 13]);
    expect(read(page.slice(0, 4))).toEqual([8, 24, undefined, 0]);
    expect(read(["8:00-8:50", "9:00-13:00"])).toEqual([8, 13]);
    expect(read(["9:00-13:00", "11:00-12:20"])).toEqual([13, 12]);
    expect(read([...page, "1:00-1:50p"])).toEqual([8, 24, undefined, 0, 13, 13]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1320 }), { minLength: 1 }), (starts) => {
        const times = ["14:00-14:50", ...starts.map((start) => `${on24(start)}-${on24(start + 50)}`)];
        const ranges = times.map((time) => toTimeRange(time, clockOf(times)));
        expect(ranges.slice(1)).toEqual(
          starts.map((start) => ({ startTime: clock(on24(start)), endTime: clock(on24(start + 50)) })),
        );
      }),
    );
  });

  it("reads back every meeting shorter than twelve hours that ends before midnight", () => {
    const halfPast = fc.integer({ min: 0, max: 1438 });
    fc.assert(
      fc.property(halfPast, fc.integer({ min: 1, max: 719 }), (start, length) => {
        const end = start + length;
        fc.pre(end < 1440);
        const range = toTimeRange(`${text(start)}-${text(end)}${end >= 720 ? "p" : ""}`);
        expect(range && range.startTime.hour * 60 + range.startTime.minute).toBe(start);
        expect(range && range.endTime.hour * 60 + range.endTime.minute).toBe(end);
      }),
    );
  });
});

describe("toMeetings", () => {
  it("reads days in other notations, and names those that it cannot read", () => {
    const odd: string[] = [];
    const days = (text: string) =>
      toMeetings([{ ...line(text, "A"), time: "10:00-10:50" }], (what, told) => odd.push(`${what} ${told}`))[0]?.days;
    expect(["TR", "Mon/Wed", "", " ", "TBA", "TBD", "SU"].map(days)).toEqual(["TuTh", "MW", "", "", "", "", "SU"]);
    expect(odd).toEqual(["days SU"]);
  });

  it.each(["TBA", "", "tbd", "ARR", "Arranged", "To be announced", "see comments, TBA"])(
    "takes %j for a time that is not known yet",
    (time) => {
      const meetings = toMeetings([{ ...line("MWF", "A"), time }], () => expect.unreachable());
      expect(meetings).toMatchObject([{ timeIsTBA: true, days: null }]);
    },
  );

  it("names a time that is none, and takes it for one that is not known", () => {
    const odd: string[] = [];
    const read = (...times: string[]) =>
      toMeetings(
        times.map((time, i) => ({ ...line("MWF", "A"), time, room: String(i) })),
        (what, told) => odd.push(`${what} ${told}`),
      );
    expect(read("noon", "STBD", "TBA")).toEqual([
      { timeIsTBA: true, bldg: ["A 0", "A 1", "A 2"], days: null, startTime: null, endTime: null },
    ]);
    expect(odd).toEqual(["time noon", "time STBD"]);
  });

  it("is at a place: building and room, either alone, and TBA once", () => {
    const placeOf = (bldg: string, room: string) =>
      toMeetings([{ ...line("M", bldg), room, time: "9:00-9:50" }], () => {})[0]?.bldg;
    expect(placeOf(" ALP ", " 2300 ")).toEqual(["ALP 2300"]);
    expect([placeOf("ON LINE", ""), placeOf("", "2300"), placeOf("", "")]).toEqual([["ON LINE"], ["2300"], []]);
    expect([placeOf("TBA", "TBA"), placeOf("ALP", "TBA"), placeOf("TBA", "2300")]).toEqual([
      ["TBA"],
      ["ALP TBA"],
      ["TBA 2300"],
    ]);
  });

  it("joins lines of equal days and times, whatever the notation and the room", () => {
    const at = (days: string, time: string, bldg: string) => ({ days, time, bldg, room: "1" });
    const meetings = toMeetings(
      [
        at("MW", "9:00-9:50", "A"),
        at("Mon/Wed", "9:00-9:50", "B"),
        at("MW", "9:00-9:50", "A"),
        at("F", "9:00-9:50", "A"),
        at("MW", "10:00-10:50", "A"),
      ],
      () => {},
    );
    expect(meetings.map(({ days, bldg, startTime }) => [days, bldg, startTime?.hour])).toEqual([
      ["MW", ["A 1", "B 1"], 9],
      ["F", ["A 1"], 9],
      ["MW", ["A 1"], 10],
    ]);
  });

  it("joins all lines without a time to one meeting, whatever their days say", () => {
    expect(toMeetings([line("TBA", "A"), line("", "B")], () => {})).toEqual([
      { timeIsTBA: true, bldg: ["A 1", "B 1"], days: null, startTime: null, endTime: null },
    ]);
  });
});
