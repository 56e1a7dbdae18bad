import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHttpDate } from "../../../server/response/headers.ts";

const AT = Date.parse("1994-11-06T08:49:37Z");

it("the three formats of RFC 9110 §5.6.7", () => {
  for (const text of ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    expect(parseHttpDate(text)).toBe(AT);
});

it("whatever the server itself sends", () => {
  const second = fc.integer({ min: 0, max: Date.parse("2199-12-31") / 1000 }).map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(second, (at) => {
      expect(parseHttpDate(new Date(at).toUTCString())).toBe(at);
    }),
  );
});

it("a year of two digits is at most 50 years in the future", () => {
  const now = new Date("2026-06-01");
  expect(parseHttpDate("Friday, 01-Jan-76 00:00:00 GMT", now)).toBe(Date.parse("2076-01-01"));
  expect(parseHttpDate("Friday, 01-Jan-77 00:00:00 GMT", now)).toBe(Date.parse("1977-01-01"));
});

describe("no date", () => {
  it.each([
    "",
    "yesterday",
    "0",
    "1994-11-06T08:49:37Z",
    "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 PST",
    "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:60 GMT",
    "sun, 06 nov 1994 08:49:37 gmt",
    "Sun, 06 Non 1994 08:49:37 GMT",
    "Sun Nov 00 08:49:37 1994",
  ])("%j", (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});
