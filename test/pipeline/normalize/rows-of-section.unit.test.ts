/** Several rows of one section become one. */
import { describe, expect, it } from "vitest";
import type { SheetRow } from "../../../pipeline/contract/rows/grade.ts";
import { make, makeOf, row, type Listed } from "./grade-world.ts";

const again = (over: Partial<SheetRow>) => row({ sheet: "F16", row: 7, ...over });

describe("a section that several rows count", () => {
  const section: Listed = ["2016", "Fall", "44010", {}];
  it("is one row when the counts agree, and noted", () => {
    const { grades, dropped, noted } = make([row(), again({})], [section]);
    expect(grades).toMatchObject([{ exportFile: "b.xlsx", exportSheet: "F16", exportRow: 7 }]);
    expect(dropped).toEqual([]);
    expect(noted).toMatchObject([
      {
        reason: "a section with several rows of equal counts",
        count: 1,
        names: [expect.stringMatching(/^a\.csv row 2: .*; and b\.xlsx, sheet F16 row 7: 2016 Fall 44010/)],
      },
    ]);
  });

  it("keeps what only one of them gives", () => {
    const rows = [row(), again({ averageGPA: null, instructor: "REDACTED" })];
    for (const order of [rows, rows.toReversed()]) {
      expect(make(order, []).grades).toMatchObject([{ averageGPA: 2.61, instructors: ["OAKFORD, T."] }]);
    }
  });

  it.each<Partial<SheetRow>>([{ gradeWCount: 9 }, { averageGPA: 2.62 }])(
    "takes the later row's figures when they differ in %o, and names both",
    (change) => {
      const { grades, dropped } = make([row(), again(change)], [section]);
      expect(grades).toMatchObject([change]);
      const reason = "replaced by a later row of the same section with different figures";
      expect(dropped).toMatchObject([
        { reason, count: 1, names: [expect.stringMatching(/a\.csv row 2: .*; by b\.xlsx/)] },
      ]);
    },
  );

  it("has the instructors of all rows with equal counts, in one export or several", () => {
    for (const second of [row({ instructor: "MOSS, ALDO" }), again({ instructor: "MOSS, ALDO" })]) {
      const { grades, dropped } = make([row({ instructor: "VANE, IDA" }), second], []);
      expect(grades).toMatchObject([{ instructors: ["VANE, I.", "MOSS, A."], gradeACount: 5, averageGPA: 2.61 }]);
      expect(dropped).toEqual([]);
    }
  });

  it("is the sum of rows of one export that count other students for other instructors", () => {
    const rows = [
      row({ instructor: "VANE, IDA", averageGPA: 3 }),
      row({ row: 3, instructor: "MOSS, ALDO", gradeACount: 20, averageGPA: 3.5 }),
      row({ row: 4, instructor: "LEE, J.", gradeACount: 0, averageGPA: null }),
    ];
    const parts = (count: number) => makeOf([rows.slice(0, count)]);
    expect(parts(2).grades).toMatchObject([
      // 15 letter grades of 3.00 and 30 of 3.50.
      { instructors: ["VANE, I.", "MOSS, A."], gradeACount: 25, gradeWCount: 16, averageGPA: 3.33 },
    ]);
    expect(parts(2).noted).toContainEqual({
      reason: "a section whose rows count different students of different instructors, added",
      count: 1,
      names: [expect.stringMatching(/row 2: .*; and a\.csv row 3: /)],
    });
    expect(parts(3).grades).toMatchObject([{ gradeACount: 25, gradeBCount: 12, averageGPA: null }]);
    // The next delivery of the same rows replaces them.
    expect(makeOf([rows.slice(0, 2), rows.slice(0, 2)]).grades).toMatchObject([{ gradeACount: 25, averageGPA: 3.33 }]);
    // A second row of the same instructor is a correction.
    const corrected = makeOf([[row(), row({ row: 3, gradeACount: 20 })]]);
    expect(corrected.grades).toMatchObject([{ gradeACount: 20 }]);
    expect(corrected.dropped).toMatchObject([{ count: 1 }]);
  });

  it("is another section in another year, quarter or session", () => {
    const sections: Listed[] = [section, ["2017", "Fall", "44010", {}], ["2016", "Summer1", "44010", {}]];
    const rows = [row(), row({ year: "2017" }), row({ quarter: "Summer" }), row({ quarter: "Summer1" })];
    expect(make(rows, sections).grades).toHaveLength(3);
  });
});
