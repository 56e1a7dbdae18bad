/** The schedule's notation of times and finals, restored from the parsed values (pipeline/RULES.md, Snapshots). */
import { describe, expect, test } from "vitest";
import { type FinalExam, type Meeting, type Section, sections } from "../../../pipeline/contract/rows/section.ts";
import { DESCRIBED_AS, SNAPSHOT_AS } from "../../../pipeline/normalize/enrollment/enrollment-history.ts";
import { toFinalExam } from "../../../pipeline/normalize/schedule/final-exam.ts";
import { toMeetings } from "../../../pipeline/normalize/schedule/meeting-time.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { sectionOf } from "../../support/published/history-days.ts";
import { scratchDatabase } from "../publish/scratch.ts";
import { toExpected } from "../../support/worlds/world.ts";
import { testWorlds } from "../../support/worlds/worlds.ts";

const { connection } = await scratchDatabase();
const never = (text: string) => expect.fail(text);

async function textsOf(rows: readonly Section[]) {
  const from = await loadRows(connection, sections, rows);
  const reader = await connection.runAndReadAll(
    `SELECT to_json({'meetings': ${DESCRIBED_AS.meetings}, 'finalExam': ${DESCRIBED_AS.finalExam}})::VARCHAR FROM ${from}`,
  );
  return reader.getRows().map(
    ([json]) =>
      JSON.parse(String(json)) as {
        meetings: { days: string; time: string; bldg: string[] }[];
        finalExam: string;
      },
  );
}

describe("meetings in words", () => {
  test.each([
    [" 8:00- 8:50", "8:00- 8:50"],
    ["10:00-10:50", "10:00-10:50"],
    [" 3:30- 4:50p", "3:30- 4:50p"],
    ["11:00-12:20p", "11:00-12:20p"],
    ["12:00-12:50p", "12:00-12:50p"],
    ["12:30- 1:50p", "12:30- 1:50p"],
    ["11:00- 2:50p", "11:00- 2:50p"],
    [" 7:00- 9:50p", "7:00- 9:50p"],
    [" 9:00-12:50p", "9:00-12:50p"],
    ["11:00- 1:50", "11:00- 1:50"],
    ["TBA", "TBA"],
  ])("%j is told as %j: the upstream's own text, trimmed", async (time, told) => {
    const meetings = toMeetings([{ days: "MWF", time, bldg: "EH", room: "1200" }], never);
    expect((await textsOf([sectionOf({ meetings })]))[0]?.meetings).toEqual([
      { days: time === "TBA" ? "" : "MWF", time: told, bldg: ["EH 1200"] },
    ]);
  });
});

describe("finals in words", () => {
  test.each([
    [{ day: "Mon", date: "Dec 5", time: "8:00-10:00am" }, "Mon, Dec 5, 8:00-10:00am"],
    [{ day: "Mon", date: "Dec 5", time: "10:30-12:30pm" }, "Mon, Dec 5, 10:30-12:30pm"],
    [{ day: "Sat", date: "Jun 10", time: " 1:30- 3:30pm @ HIB 100" }, "Sat, Jun 10, 1:30-3:30pm"],
    [{ day: "", date: "TBA", time: "" }, "TBA"],
    [undefined, ""],
  ])("%j is told as %j", async (source, told) => {
    const finalExam = toFinalExam(source, [], never);
    expect((await textsOf([sectionOf({ finalExam })]))[0]?.finalExam).toBe(told);
  });
});

const clock = (hour: number) => ((hour + 11) % 12) + 1;
const minute = (value: number) => String(value).padStart(2, "0");

function meetingTime({ timeIsTBA, startTime, endTime }: Meeting): string {
  if (timeIsTBA || !startTime || !endTime) return "TBA";
  const end = `${String(clock(endTime.hour)).padStart(2)}:${minute(endTime.minute)}${endTime.hour % 24 < 12 ? "" : "p"}`;
  return `${clock(startTime.hour)}:${minute(startTime.minute)}-${end}`;
}

function finalText({ examStatus, dayOfWeek, month, day, startTime, endTime }: FinalExam): string {
  if (examStatus === "NO_FINAL") return "";
  if (examStatus === "TBA_FINAL" || month === null || !startTime || !endTime) return "TBA";
  const name = new Date(Date.UTC(2000, month, 1)).toLocaleString("en-US", { month: "short", timeZone: "UTC" });
  const half = endTime.hour < 12 ? "am" : "pm";
  return `${dayOfWeek}, ${name} ${day}, ${clock(startTime.hour)}:${minute(startTime.minute)}-${clock(endTime.hour)}:${minute(endTime.minute)}${half}`;
}

test.each(testWorlds)("every section is told as a plain reading of it would, $name", async (testWorld) => {
  const world = testWorld.read();
  const rows = world.sections.map((section) => toExpected(world, section));
  expect(await textsOf(rows)).toEqual(
    rows.map(({ meetings, finalExam }) => ({
      meetings: meetings.map((meeting) => ({
        days: meeting.days ?? "",
        time: meetingTime(meeting),
        bldg: meeting.bldg,
      })),
      finalExam: finalText(finalExam),
    })),
  );
});

test("a snapshot says the seven things that are served, each by its own text", async () => {
  const from = await loadRows(connection, sections, [
    sectionOf({
      maxCapacity: "1",
      numCurrentlyEnrolled: { totalEnrolled: "2", sectionEnrolled: "9" },
      numOnWaitlist: "off(3)",
      numWaitlistCap: "4",
      numRequested: "5",
      numNewOnlyReserved: "6",
      status: "NewOnly",
    }),
  ]);
  const reader = await connection.runAndReadAll(`SELECT ${Object.values(SNAPSHOT_AS).join(", ")} FROM ${from}`);
  expect(reader.getRows()).toEqual([["1", "2", "off(3)", "4", "5", "6", "NewOnly"]]);
});
