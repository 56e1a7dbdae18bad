/** Days, kinds, statuses and restrictions in other notations than the schedule's own. */
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { DAYS, SECTION_TYPES } from "../../../pipeline/contract/vocabulary.ts";
import { toDays } from "../../../pipeline/normalize/schedule/days.ts";
import { toRestrictions, toSectionType, toStatus } from "../../../pipeline/normalize/schedule/labels.ts";

describe("days", () => {
  const NAMES = {
    Su: ["Sunday", "SUN", "su"],
    M: ["Monday", "mon", "MO"],
    Tu: ["Tuesday", "Tues", "tue", "TU"],
    W: ["Wednesday", "WED", "we"],
    Th: ["Thursday", "Thurs", "thu", "TH"],
    F: ["Friday", "fri", "FR"],
    Sa: ["Saturday", "SAT", "sa"],
  };

  it("are read by their names and short forms, with anything between them", () => {
    fc.assert(
      fc.property(
        fc.subarray([...DAYS], { minLength: 1 }),
        fc.nat(2),
        fc.constantFrom(" ", ", ", "/", " & ", ";"),
        (days, n, between) => {
          expect(toDays(days.join(""))).toBe(days.join(""));
          const named = days.map((day) => NAMES[day][n % NAMES[day].length]);
          expect(toDays(named.join(between))).toBe(days.join(""));
        },
      ),
    );
  });

  test.each([
    ["TR", "TuTh"],
    ["TTh", "TuTh"],
    ["TTH", "TuTh"],
    ["TUTH", "TuTh"],
    ["mwf", "MWF"],
    ["MTWRF", "MTuWThF"],
    ["MTWTHF", "MTuWThF"],
    ["RSa", "ThSa"],
    ["T", "Tu"],
    ["R", "Th"],
    ["U", "Su"],
    ["S", "Sa"],
    ["M.W.F.", "MWF"],
    ["Fri and Mon", "MF"],
    ["FRI AND MON", "MF"],
    ["thur, u", "SuTh"],
    ["UMW", "SuMW"],
    ["MWU", "SuMW"],
    ["FU", "SuF"],
    ["/ MW /", "MW"],
    // Letters would be out of order.
    ["FR", "F"],
    // The order of the schedule's own notation is its business.
    ["WM", "WM"],
  ])("%s are %s", (text, days) => expect(toDays(text)).toBe(days));

  test.each(["SU", "RSU", "M-F", "T-Th", "MTWTF", "X", "MWX", "TuTx", "daily", "Suns", "Mon andTue", ""])(
    "%j may be any",
    (text) => expect(toDays(text)).toBeUndefined(),
  );
});

test.each([
  ["open", "OPEN"],
  ["Full", "FULL"],
  ["WAITL", "Waitl"],
  ["Wait-listed", "Waitl"],
  ["new only", "NewOnly"],
  [" NEWONLY ", "NewOnly"],
  [" Closed ", "Closed"],
  ["", ""],
])("the status %j is %j", (text, status) => expect(toStatus(text)).toBe(status));

test("a kind of section is told in the vocabulary, in any case and as a word", () => {
  for (const type of SECTION_TYPES)
    expect([type, type.toUpperCase(), type.toLowerCase(), ` ${type} `].map(toSectionType)).toEqual([
      type,
      type,
      type,
      type,
    ]);
  expect(["Lecture", "DISCUSSION", "Laboratory", "Quiz", " Xyz "].map(toSectionType)).toEqual([
    "Lec",
    "Dis",
    "Lab",
    "Qiz",
    "Xyz",
  ]);
});

test.each([" Majors only ", "a or Majors", "Majors, b", "a, b Majors", "aor b", "a orb", "a andl"])(
  "%j are no letters, and stay",
  (text) => expect(toRestrictions(text)).toBe(text.trim()),
);

test("restrictions are letters with words between them", () => {
  expect(["A and L", "A, L", " a & l ", "B or K", "A", "", "a AND l"].map(toRestrictions)).toEqual([
    "A and L",
    "A and L",
    "A and L",
    "B or K",
    "A",
    "",
    "A AND L",
  ]);
});
