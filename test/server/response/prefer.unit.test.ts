/** `Prefer: handling=strict` as RFC 7240 writes it. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStrict } from "../../../server/response/negotiation.ts";

describe("a Prefer header", () => {
  it.each([
    "handling=strict",
    "Handling=Strict",
    'handling="strict"',
    "handling = strict",
    " handling=strict ",
    "handling=strict;foo",
    "handling=strict; foo=bar",
    'respond-async, handling=strict, wait="10"',
    "handling=strict, handling=lenient",
    'foo="a, b", handling=strict',
    'foo="", handling=strict',
    'foo="a \\", handling=lenient", handling=strict',
    ", ,handling=strict",
  ])("%j asks for it", (header) => expect(isStrict(header)).toBe(true));

  it.each([
    null,
    undefined,
    "",
    "handling",
    "handling=",
    'handling=""',
    "handling=lenient",
    // "If any preference is specified more than once, only the first instance is to be considered."
    "handling=lenient, handling=strict",
    "handling, handling=strict",
    "handling=other, handling=strict",
    'foo="handling=strict"',
    'foo="a, handling=strict, b"',
    'foo="a, handling=strict',
    "foo; handling=strict",
    "xhandling=strict",
    "handling=stricter",
    "strict",
    "handling strict",
  ])("%j does not", (header) => expect(isStrict(header)).toBe(false));

  it("of any bytes is read, and quickly", () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (header) => typeof isStrict(header) === "boolean"));
    // Repeated backtracking would take longer than a test may.
    for (const hostile of ['"', '"\\', '""', "handling ", "handling= ", ",", 'a="'])
      expect(isStrict(hostile.repeat(16_384 / hostile.length))).toBe(false);
  });
});
