import { expect, test } from "vitest";
import { toPlainText } from "../../../pipeline/parse/schedule/schedule-text.ts";

test.each(["amp;", "#38;", "#x26;", "AMP;", "amp;#38;"])(
  "a text that is escaped 1, 2 or 5,000 times with %s",
  (escape) => {
    for (const times of [1, 2, 5_000]) {
      expect(toPlainText(`I&${escape.repeat(times)}C`)).toBe("I&C");
      expect(toPlainText(`a &${escape.repeat(times)}lt; b`)).toBe("a < b");
    }
  },
);

test("an escape within an escape, and one that is none", () => {
  expect(["&am&#112;;", "&#3&#56;;", "R&D", "&nope;", "&amp;nope;"].map(toPlainText)).toEqual([
    "&",
    "&",
    "R&D",
    "&nope;",
    "&nope;",
  ]);
});
