/** Which courses filled first, by recorded days. */
import { expect, it } from "vitest";
import { firstToFill, type RecordedStatus } from "../../../../server/site/app/home/first-to-fill.ts";

const record = (course: string, days: Readonly<Record<string, string>>, units = "4"): RecordedStatus => {
  const [department = "", courseNumber = ""] = course.split(" ");
  const [dates, statusHistory] = [Object.keys(days), Object.values(days)];
  return { department, courseNumber, units, dates, statusHistory };
};

it("a course fills when every section with units has; earliest first", () => {
  const records = [
    record("MATH 2B", { "2026-11-15": "OPEN", "2026-11-16": "FULL", "2026-11-18": "OPEN" }),
    record("MATH 2B", { "2026-11-15": "OPEN", "2026-11-17": "Waitl" }),
    record("MATH 2B", { "2026-11-15": "OPEN" }, "0"),
    record("DANCE 10", { "2026-11-15": "OPEN", "2026-11-16": "FULL" }),
    record("MUSIC 3", { "2026-11-15": "NewOnly", "2026-11-16": "OPEN" }),
    // Nobody saw these fill.
    record("ART 1", { "2026-11-15": "FULL", "2026-11-16": "FULL" }),
    record("BIO 1", { "2026-11-15": "OPEN", "2026-11-16": "FULL" }, "0"),
    record("CHEM 1", { "2026-11-15": "OPEN", "2026-11-16": "FULL" }),
  ];
  const names = records.map(({ department, courseNumber }) => `${department} ${courseNumber}`);
  // All sections of one are cancelled.
  expect(firstToFill(records, new Set(names.filter((name) => name !== "CHEM 1")))).toEqual([
    { department: "DANCE", courseNumber: "10", date: "2026-11-16", isStillFull: true },
    { department: "MATH", courseNumber: "2B", date: "2026-11-17", isStillFull: false },
  ]);
});
