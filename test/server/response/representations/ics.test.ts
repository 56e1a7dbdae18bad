/** Calendar files, read by ical.js: each event recurs on exactly the meeting days, at the campus's time of day. */
import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import type { CalendarDate, TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Meeting, Section } from "../../../../pipeline/contract/rows/section.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { changeRow } from "../../../support/published/published-changes.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";
import { eventsByHand } from "./expand-calendar.ts";
import { occurrences } from "./expected-calendar.ts";
import { seenByCampus, eventsIn, occurrencesOf, type ReadEvent } from "./read-calendar.ts";

/** A Thursday to a Friday; daylight saving time ends on November 3. */
const FALL: TermDates = {
  year: "2024",
  quarter: "Fall",
  instructionStart: "2024-09-26",
  instructionEnd: "2024-12-06",
  finalsStart: "2024-12-07",
  finalsEnd: "2024-12-13",
};

/** `YYYY-MM-DD`. */
function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

const final: Section["finalExam"] = {
  examStatus: "SCHEDULED_FINAL",
  dayOfWeek: "Mon",
  month: 11,
  day: 9,
  startTime: { hour: 13, minute: 30 },
  endTime: { hour: 15, minute: 30 },
  bldg: ["SSLH 100"],
};
const sections = [
  sectionRow({
    sectionCode: "10000",
    meetings: [meeting("TuTh", "14:00", "15:20", "HIB 200"), meeting("F", "23:00", "24:30", "TBA")],
    finalExam: final,
    courseTitle: "MOVEMENT; LINES, \\ AND 日本語のとても長い題名 AND SO ON UNTIL THE LINE MUST BE FOLDED ONCE OR TWICE",
  }),
  sectionRow({ sectionCode: "10001", sectionType: "Dis", sectionNum: "1", meetings: [tba("TBA")] }),
  sectionRow({ sectionCode: "10002", sectionNum: "B", cancelled: true, meetings: [meeting("MWF", "9:00", "9:50")] }),
  sectionRow({ sectionCode: "10003", sectionNum: "C", cancelled: true, meetings: [tba()] }),
  sectionRow({ sectionCode: "20000", deptCode: "ART", year: "2031", meetings: [meeting("M", "9:00", "9:50")] }),
  sectionRow({ sectionCode: "20001", deptCode: "ART", year: "2031", meetings: [tba()], finalExam: final }),
  // Their first meeting, several of their meetings, and all of them are on days without classes.
  sectionRow({ sectionCode: "30000", deptCode: "MUSIC", meetings: [meeting("Th", "23:00", "24:10")] }),
  sectionRow({ sectionCode: "30001", deptCode: "MUSIC", sectionNum: "B", meetings: [meeting("MWF", "8:00", "8:50")] }),
  sectionRow({ sectionCode: "30002", deptCode: "MUSIC", sectionNum: "C", meetings: [meeting("Su", "8:00", "8:50")] }),
  sectionRow({ sectionCode: "30003", deptCode: "MUSIC", sectionNum: "D", meetings: [meeting(null, "8:00", "8:50")] }),
  sectionRow({ sectionCode: "30004", deptCode: "MUSIC", sectionNum: "E", meetings: [tba()], finalExam: final }),
];
const holiday = (firstDay: string | null, lastDay = firstDay, quarter: "Fall" | "Summer2" = "Fall"): CalendarDate => ({
  ...{ year: "2024", quarter, event: `Holiday ${firstDay}`, kind: "holiday", firstDay, lastDay },
});
const calendar_dates: CalendarDate[] = [
  holiday("2024-09-26"),
  holiday("2024-11-11"),
  holiday("2024-11-27", "2024-11-29"),
  // A bound that is not known; another term's; one that goes beyond the term.
  holiday("2024-12-04", null),
  holiday(null, "2024-10-02"),
  holiday("2024-10-18", "2024-10-18", "Summer2"),
  ...Array.from({ length: 11 }, (_, week) => holiday(dayAfter("2024-09-29", 7 * week))),
  { ...holiday("2024-10-14"), kind: "deadline" },
];
const HELD_ON = (day: string) =>
  !calendar_dates.some(
    ({ kind, firstDay, lastDay }) =>
      kind === "holiday" && (firstDay ?? lastDay ?? "") <= day && day <= (lastDay ?? firstDay ?? ""),
  );
const MUSIC = "/schedule?year=2024&quarter=Fall&department=MUSIC&format=ics";

const change = (row: Partial<Change>): Change => ({
  ...changeRow({ sectionCode: "10000", ...row }),
  month: "2024-11",
  snapshot: "0".repeat(16),
});
const changes = [
  change({ kind: "meetings", field: "meetings" }),
  change({ kind: "status", field: "status" }),
  change({ kind: "enrolled", field: "numCurrentlyEnrolled.totalEnrolled" }),
  change({ kind: "final", field: "finalExam", at: "2024-11-02T10:00:00.000Z" }),
  change({ kind: "cancelled", field: "cancelled", sectionCode: "10002" }),
];
const CRAWLED = new Date("2024-11-05T12:00:00.000Z");
const DANCE = "/schedule?year=2024&quarter=Fall&department=DANCE&cancelledCourses=Include&format=ics";

let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  const rows = { sections, headings: headingsOf(sections), calendar: [FALL], calendar_dates, changes };
  await publishRows(folder.artifacts, rows, { now: CRAWLED });
  app = await openApp(folder.artifacts);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

const textOf = async (path: string, init?: RequestInit) => (await app.get(path, init)).text();
const noteOf = async (path: string) =>
  new ICAL.Component(ICAL.parse(await textOf(path))).getFirstPropertyValue("description");
async function read(path = DANCE): Promise<ReadEvent[]> {
  return eventsIn(await textOf(path)).sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

const expected = (one: Meeting, dates: TermDates) => occurrences(one, dates, HELD_ON);

describe("a calendar file", () => {
  it("has each meeting on exactly its days, at the same time of day before and after the clocks change", async () => {
    const events = await read();
    const [lecture, late] = [sections[0]?.meetings[0] as Meeting, sections[0]?.meetings[1] as Meeting];
    const times = occurrencesOf(events, "2024-Fall-10000-0@academic-data");
    expect(times).toEqual(expected(lecture, FALL));
    expect([times[0], times.at(-1)]).toEqual([
      "2024-10-01 14:00–2024-10-01 15:20",
      "2024-12-05 14:00–2024-12-05 15:20",
    ]);
    const [october, november] = ["2024-10-31", "2024-11-05"].map((day) =>
      events[0]?.starts.find((start) => seenByCampus(start).startsWith(day))?.toISOString(),
    );
    expect([october, november]).toEqual(["2024-10-31T21:00:00.000Z", "2024-11-05T22:00:00.000Z"]);
    // It meets on the last day of instruction, and ends on the day after.
    expect(occurrencesOf(events, "2024-Fall-10000-1@academic-data")).toEqual(expected(late, FALL));
    expect(expected(late, FALL).at(-1)).toBe("2024-12-06 23:00–2024-12-07 00:30");
  });

  it("has the final once, names and places, and counts the changes of what it shows", async () => {
    const events = await read();
    expect(occurrencesOf(events, "2024-Fall-10000-final@academic-data")).toEqual(["2024-12-09 13:30–2024-12-09 15:30"]);
    expect(
      events.map(({ uid, summary, location, sequence }) => [uid.split("@")[0], summary, location, sequence]),
    ).toEqual([
      ["2024-Fall-10000-0", "DANCE 10 Lec A", "HIB 200", 2],
      ["2024-Fall-10000-1", "DANCE 10 Lec A", null, 2],
      ["2024-Fall-10000-final", "DANCE 10 Lec A final", "SSLH 100", 2],
      ["2024-Fall-10002-0", "DANCE 10 Lec B", null, 1],
    ]);
    expect(events[0]?.description).toBe(`${sections[0]?.courseTitle}\nSection 10000, 4 units\nAMBERLEY, R.`);
  });

  it("has no class on a holiday or a break, whichever term's column names it, and begins on the first day with one", async () => {
    const text = await textOf(MUSIC);
    for (const events of [eventsIn(text), eventsByHand(text)])
      for (const [section, uid] of [
        [sections[6], "2024-Fall-30000-0@academic-data"],
        [sections[7], "2024-Fall-30001-0@academic-data"],
      ] as const)
        expect(occurrencesOf(events, uid)).toEqual(expected(section?.meetings[0] as Meeting, FALL));
    expect(text).toContain("DTSTART;TZID=America/Los_Angeles:20241003T230000\r\n");
    expect(text).toContain("EXDATE;TZID=America/Los_Angeles:20241128T230000\r\n");
    const monday = occurrencesOf(eventsIn(text), "2024-Fall-30001-0@academic-data").map((time) => time.slice(0, 10));
    for (const day of ["2024-10-02", "2024-10-18", "2024-11-11", "2024-11-27", "2024-11-29", "2024-12-04"])
      expect(monday).not.toContain(day);
    expect(monday).toContain("2024-10-14");
  });

  it("says that a section is cancelled, and names those of which it has no class, with the reason", async () => {
    const events = await read();
    const status = Object.fromEntries(events.map((event) => [event.uid.slice(10, 15), event.status]));
    expect(status).toEqual({ 10000: "CONFIRMED", 10002: "CANCELLED" });
    expect(await noteOf(DANCE)).toBe("Without a time: DANCE 10 Dis 1 (10001), DANCE 10 Lec C (10003, cancelled)");
    expect(await noteOf(MUSIC)).toBe(
      [
        "Without a time: MUSIC 10 Lec E (30004)",
        "With a time, but without days of the week: MUSIC 10 Lec D (30003)",
        "Without a day of class in Fall 2024, holidays and breaks left out: MUSIC 10 Lec C (30002)",
      ].join("\n"),
    );
    expect((await read(MUSIC)).map(({ uid }) => uid.slice(10, -14))).toEqual(["30000-0", "30001-0", "30004-final"]);
  });

  it("is made of lines of at most 75 octets that end in CRLF, and of whole characters", async () => {
    const lines = (await textOf(DANCE)).split("\r\n");
    expect(lines.at(-1)).toBe("");
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\n\r\ufffd]/);
    }
  });

  it("is valid without events: of nothing, and of a term that the calendar does not know", async () => {
    expect(await read("/schedule?year=2024&quarter=Fall&department=NOBODY&format=ics")).toEqual([]);
    const unknown = "/schedule?year=2031&quarter=Fall&department=ART&format=ics";
    expect((await read(unknown)).map(({ uid }) => uid)).toEqual(["2031-Fall-20001-final@academic-data"]);
    expect(await noteOf(unknown)).toBe(
      [
        "Without a time: ART 10 Lec A (20001)",
        "The academic calendar does not have Fall 2031 yet, so that its days are not known and classes are left out: ART 10 Lec A (20000)",
      ].join("\n"),
    );
  });

  it("takes every filter, such as the codes of a plan", async () => {
    const events = await read(
      "/schedule?year=2024&quarter=Fall&sectionCodes=10002,10001&cancelledCourses=Include&format=ics",
    );
    expect(events.map(({ uid }) => uid)).toEqual(["2024-Fall-10002-0@academic-data"]);
  });
});

describe("as a response", () => {
  it("has its type, a name as a file, and the same bytes for the same snapshot, by Accept too", async () => {
    const response = await app.get(DANCE);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="schedule.ics"');
    const text = await response.text();
    expect(text).toContain("DTSTAMP:20241105T120000Z\r\n");
    expect(await textOf(DANCE)).toBe(text);
    const accepted = await app.get(DANCE.replace("&format=ics", ""), { headers: { Accept: "text/calendar" } });
    expect([await accepted.text(), accepted.headers.get("etag")]).toEqual([text, response.headers.get("etag")]);
  });

  it("answers HEAD and conditional requests, and is another one with the next snapshot", async () => {
    const head = await app.get(DANCE, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const etag = head.headers.get("etag") ?? "";
    expect((await app.get(DANCE.replace("&format=ics", ""))).headers.get("etag")).not.toBe(etag);
    for (const [name, value] of [
      ["If-None-Match", etag],
      ["If-Modified-Since", head.headers.get("last-modified") ?? ""],
    ] as const)
      expect((await app.get(DANCE, { headers: { [name]: value } })).status).toBe(304);
    const before = await textOf(DANCE);
    // The sections of this term stay as they are: the body must not be taken from the snapshot before.
    const other = sectionRow({ sectionCode: "20000", deptCode: "ART", year: "2031", sectionNum: "Z" });
    const more = [...changes, change({ kind: "instructors", field: "instructors", at: "2024-11-03T10:00:00.000Z" })];
    await publishRows(
      folder.artifacts,
      { sections: [other], changes: more },
      { now: new Date("2024-11-06T12:00:00.000Z") },
    );
    await app.update();
    const after = await app.get(DANCE, { headers: { "If-None-Match": etag } });
    expect(after.status).toBe(200);
    expect(await after.text()).toBe(
      before.replaceAll("20241105T120000Z", "20241106T120000Z").replaceAll("SEQUENCE:2", "SEQUENCE:3"),
    );
  });

  it.each(["/week", "/changes", "/grades/raw"])(
    "is a 400 of %s, which names the formats that there are",
    async (path) => {
      const response = await app.get(`${path}?format=ics`);
      expect(response.status).toBe(400);
      const { message } = (await response.json()) as { message: string };
      expect(message).toMatch(
        /^Invalid format provided: "ics" \(allowed: one of json, csv, ndjson, parquet(, atom)?\)$/,
      );
    },
  );
});
