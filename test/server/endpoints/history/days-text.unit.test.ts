import * as fc from "fast-check";
import { expect, it } from "vitest";
import { daysText } from "../../../../server/endpoints/history/history-records.ts";

it("is the days from one on, each with a comma", () => {
  expect(daysText(19_992, 2)).toBe('"2024-09-26","2024-09-27",');
  fc.assert(
    fc.property(fc.integer({ min: -20_000, max: 60_000 }), fc.integer({ min: 0, max: 2500 }), (first, days) => {
      const each = Array.from({ length: days }, (_, i) =>
        new Date(86_400_000 * (first + i)).toISOString().slice(0, 10),
      );
      expect(daysText(first, days)).toBe(each.map((day) => `"${day}",`).join(""));
    }),
    { numRuns: 20 },
  );
});
