/** Lines of a calendar file: any text comes back out of them. */
import fc from "fast-check";
import ICAL from "ical.js";
import { expect, it } from "vitest";
import { line, text } from "../../../../server/response/representations/ics/events.ts";

it("a text of any characters comes back, from lines of at most 75 octets", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (within) => {
      // The parser takes blanks off the ends.
      const value = `<${within}>`;
      const written = line("SUMMARY", text(value));
      for (const one of written.split("\r\n")) expect(Buffer.byteLength(one)).toBeLessThanOrEqual(75);
      const [, properties] = ICAL.parse(`BEGIN:VCALENDAR\r\n${written}END:VCALENDAR\r\n`) as [string, unknown[][]];
      const [, , , read] = properties[0] ?? [];
      expect(read).toBe(value);
    }),
  );
});

it.each([
  ["a,b;c\\d", String.raw`a\,b\;c\\d`],
  ["two\nlines", String.raw`two\nlines`],
  ["two\r\nlines\u0007", String.raw`two\nlines`],
])("%j is written as %s", (value, written) => {
  expect(text(value)).toBe(written);
});
