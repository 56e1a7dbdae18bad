/** When a term is over. */
import { describe, expect, it } from "vitest";
import { isOver } from "../../../pipeline/products/schedule/term-scope.ts";
import { FALL, NEXT_FALL } from "../../support/worlds/small-world.ts";

describe("when a term is over", () => {
  const calendar = [
    {
      ...FALL,
      instructionStart: "2019-09-26",
      instructionEnd: "2019-12-06",
      finalsStart: "2019-12-07",
      finalsEnd: "2019-12-13",
    },
  ];

  it("by the calendar: the day after its finals", () => {
    expect(isOver(FALL, calendar, "2019-12-13")).toBe(false);
    expect(isOver(FALL, calendar, "2019-12-14")).toBe(true);
  });

  it("by the latest end of twelve years, where the calendar does not have it", () => {
    expect(isOver(NEXT_FALL, calendar, "2020-12-20")).toBe(false);
    expect(isOver(NEXT_FALL, calendar, "2020-12-21")).toBe(true);
    expect(isOver({ year: "2019", quarter: "Spring" }, calendar, "2019-06-20")).toBe(false);
    expect(isOver({ year: "2019", quarter: "Summer1" }, calendar, "2019-08-06")).toBe(true);
  });
});
