/**
 * Changes of the schedule (pipeline/RULES.md, Snapshots): "When a run publishes a term whose sections differ from the
 * previous version, it records every difference".
 */
import { mkdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Section } from "../../../pipeline/contract/rows/section.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { openRecordedSchedule, type RecordedSchedule } from "../../support/published/recorded-schedule.ts";
import { meeting, sectionRow, tba } from "../../support/worlds/section-rows.ts";
import { scratchFolder } from "../publish/scratch.ts";
import { replayChanges } from "./replay-changes.ts";

const scratch = scratchFolder();
const FALL: Term = { year: "2024", quarter: "Fall" };
const at = (hour: number) => new Date(Date.UTC(2024, 8, 30, hour));
let schedule: RecordedSchedule;
let artifacts = "";
let count = 0;

async function openAnother(): Promise<void> {
  artifacts = join(scratch, String(count++));
  mkdirSync(artifacts);
  schedule = await openRecordedSchedule(artifacts);
}
beforeEach(openAnother);
afterEach(() => schedule.close());

const publish = (hour: number, ...rows: Section[]) => schedule.publish(at(hour), [{ term: FALL, rows }]);

describe("a change of a section", () => {
  test("is recorded with its kind, field, values, times and the snapshot that published it", async () => {
    await publish(1, sectionRow());
    const { id } = await publish(5, sectionRow({ maxCapacity: "40" }));
    expect(await schedule.changes()).toEqual([
      {
        year: "2024",
        quarter: "Fall",
        at: "2024-09-30T05:00:00.000Z",
        since: "2024-09-30T01:00:00.000Z",
        snapshot: id,
        sectionCode: "10000",
        department: "DANCE",
        courseNumber: "10",
        instructors: ["AMBERLEY, R."],
        kind: "capacity",
        field: "maxCapacity",
        before: "30",
        after: "40",
      },
    ]);
  });

  test("names who teaches the section from then on, and of a removed one who taught it", async () => {
    await publish(1, sectionRow(), sectionRow({ sectionCode: "10001" }));
    await publish(2, sectionRow({ instructors: ["BRISTOW, T."] }), sectionRow({ sectionCode: "10001" }));
    await publish(3, sectionRow({ sectionCode: "10001" }));
    const changes = await schedule.changes();
    expect(changes.map(({ instructors, kind }) => [kind, instructors])).toEqual([
      ["instructors", ["BRISTOW, T."]],
      ["removed", ["BRISTOW, T."]],
    ]);
  });

  const exam = { examStatus: "TBA_FINAL" as const, dayOfWeek: null, month: null, day: null };
  const times = { startTime: null, endTime: null, bldg: null };
  const KINDS: readonly [kind: string, field: string, Partial<Section>, before: string, after: string][] = [
    ["status", "status", { status: "FULL" }, "OPEN", "FULL"],
    [
      "enrolled",
      "numCurrentlyEnrolled.totalEnrolled",
      { numCurrentlyEnrolled: { totalEnrolled: "13", sectionEnrolled: "" } },
      "12",
      "13",
    ],
    [
      "enrolled",
      "numCurrentlyEnrolled.sectionEnrolled",
      { numCurrentlyEnrolled: { totalEnrolled: "12", sectionEnrolled: "6" } },
      "",
      "6",
    ],
    ["waitlist", "numOnWaitlist", { numOnWaitlist: "3" }, "", "3"],
    ["waitlist", "numWaitlistCap", { numWaitlistCap: "10" }, "", "10"],
    ["instructors", "instructors", { instructors: [] }, '["AMBERLEY, R."]', "[]"],
    [
      "final",
      "finalExam",
      { finalExam: { ...exam, ...times } },
      expect.stringContaining("NO_FINAL"),
      expect.stringContaining("TBA_FINAL"),
    ],
    ["restrictions", "restrictions", { restrictions: "" }, "A", ""],
    ["comment", "sectionComment", { sectionComment: '<p>"new"</p>' }, "", '<p>"new"</p>'],
    ["comment", "courseComment", { courseComment: "é\n" }, "", "é\n"],
    ["cancelled", "cancelled", { cancelled: true }, "false", "true"],
    ["other", "units", { units: "2" }, "4", "2"],
    ["other", "geCategories", { geCategories: ["GE-4"] }, "[]", '["GE-4"]'],
    ["other", "numRequested", { numRequested: "20" }, "12", "20"],
  ];
  test("has the kind of its field, and the values as they are or as JSON", async () => {
    const codes = KINDS.map((_, i) => String(20_000 + i));
    const rows = (changes: readonly Partial<Section>[]) =>
      codes.map((sectionCode, i) => sectionRow({ ...changes[i], sectionCode }));
    await publish(1, ...rows([]));
    await publish(2, ...rows(KINDS.map(([, , change]) => change)));
    expect(await schedule.changes()).toMatchObject(
      KINDS.map(([kind, field, , before, after], i) => ({ sectionCode: codes[i], kind, field, before, after })),
    );
  });

  test("of meetings is one row with all of them as JSON; a section that is no longer cancelled is reinstated", async () => {
    await publish(1, sectionRow({ cancelled: true }));
    await publish(2, sectionRow({ meetings: [meeting("TuTh", "9:00", "10:20", "HALL 1"), tba("TBA")] }));
    const [first, second] = await schedule.changes();
    expect(first).toMatchObject({ kind: "reinstated", field: "cancelled", before: "true", after: "false" });
    expect(JSON.parse(second?.after ?? "")).toEqual([meeting("TuTh", "9:00", "10:20", "HALL 1"), tba("TBA")]);
  });

  test("that is added or removed is one row with all of it; a removed one is described as it was", async () => {
    const other = sectionRow({ sectionCode: "20000", deptCode: "ART", courseNumber: "1A", instructors: ["LEE, K."] });
    await publish(1, sectionRow());
    await publish(2, other);
    const [removed, added] = await schedule.changes();
    expect(removed).toMatchObject({ kind: "removed", field: "section", department: "DANCE", after: null });
    expect(JSON.parse(removed?.before ?? "")).toEqual(sectionRow());
    expect(added).toMatchObject({
      kind: "added",
      field: "section",
      department: "ART",
      courseNumber: "1A",
      before: null,
    });
    expect(added?.instructors).toEqual(["LEE, K."]);
    expect(JSON.parse(added?.after ?? "")).toEqual(other);
  });

  test("is appended to those of its month; a term's first publication records none, nor does an unchanged hour", async () => {
    const first = await publish(1, sectionRow());
    expect(await nodeDisk.readdir(join(artifacts, "current", "changes"))).toEqual([]);
    expect(await publish(2, sectionRow())).toMatchObject({ changed: false, id: first.id });
    await publish(3, sectionRow({ units: "2" }));
    await publish(20, sectionRow({ units: "3" }));
    await publish(25, sectionRow({ units: "4" }));
    await schedule.publish(at(26), [
      { term: { year: "2025", quarter: "Winter" }, rows: [sectionRow({ year: "2025", quarter: "Winter" })] },
    ]);
    const recorded = await schedule.changes();
    expect(recorded.map(({ before, after }) => `${before} → ${after}`)).toEqual(["4 → 2", "2 → 3", "3 → 4"]);
    // The hour without a change was looked at: nothing happened before it.
    expect(recorded.map(({ since }) => Date.parse(since))).toEqual([2, 3, 20].map((hour) => at(hour).getTime()));
    const folder = join(artifacts, "current", "changes");
    const names = (await nodeDisk.readdir(folder)).filter((name) => name.startsWith("2024-Fall-"));
    expect(names.map((name) => name.slice("2024-Fall-".length, -"-.parquet".length - 32))).toEqual([
      "2024-09",
      "2024-10",
    ]);
    // The rows of the file itself are in order as well.
    const read = await schedule.database.connection.runAndReadAll(
      `SELECT "after" FROM read_parquet('${folder}/2024-Fall-2024-09-*.parquet')`,
    );
    expect(read.getRowsJson()).toEqual([["2"], ["3"]]);
  });

  test("comes after those before it, though the clock stood still or went back", async () => {
    for (const [i, hour] of [5, 6, 6, 4].entries()) await publish(hour, sectionRow({ units: String(i) }));
    const recorded = await schedule.changes();
    expect(recorded.map(({ after }) => after)).toEqual(["1", "2", "3"]);
    expect(recorded.map((change) => Date.parse(change.at) - at(6).getTime())).toEqual([0, 1, 2]);
    // Nor was the old version crawled after the new one, where no earlier change of the month moves the time on.
    schedule.close();
    await openAnother();
    for (const [i, hour] of [9, 4].entries()) await publish(hour, sectionRow({ units: String(i) }));
    expect(await schedule.changes()).toMatchObject([{ since: at(4).toISOString(), at: at(4).toISOString() }]);
  });

  test("back to what it was has an id of its own: A → B → A are three snapshots", async () => {
    const ids = [];
    for (const [hour, units] of ["4", "2", "4", "2"].entries())
      ids.push((await publish(hour, sectionRow({ units }))).id);
    expect(new Set(ids).size).toBe(4);
    const ofA = await schedule.changes();
    expect(ofA.map(({ snapshot }) => snapshot)).toEqual(ids.slice(1));
    schedule.close();
    await openAnother();
    const again = [];
    for (const [hour, units] of ["4", "2", "4", "2"].entries())
      again.push((await publish(hour, sectionRow({ units }))).id);
    expect(again).toEqual(ids);
  });
});

describe("no changes are recorded", () => {
  test("where the schedule comes from another campus, or no generation can be read", async () => {
    await publish(1, sectionRow());
    schedule.close();
    schedule = await openRecordedSchedule(artifacts, { schedule: "sample campus (standard)" });
    await publish(2, sectionRow({ units: "2" }));
    expect(await schedule.changes()).toEqual([]);
    for (const name of ["snapshots", "current.json"]) await rm(join(artifacts, name), { recursive: true });
    await publish(3, sectionRow({ units: "3" }));
    expect(await schedule.changes()).toEqual([]);
  });

  test("where the published version is damaged: nobody knows what it was", async () => {
    const { published } = await publish(1, sectionRow());
    const [file] = published.manifest.files;
    const path = join(published.folder, file?.path ?? "");
    await rm(path);
    await publish(2, sectionRow({ units: "2" }));
    expect(await schedule.changes()).toEqual([]);
    await expect(readFile(path)).rejects.toThrow(/ENOENT/);
  });
});

test("applied to the sections of any snapshot, the changes give those of any later one", () =>
  replayChanges(scratch, 3));
