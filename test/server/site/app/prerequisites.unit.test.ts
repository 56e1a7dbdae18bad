/** Prerequisites that a student lacks, and the pasted list of courses taken. */
import { expect, it } from "vitest";
import { missingPrerequisites } from "../../../../server/site/app/plan/prerequisites.ts";
import { courseKey, readTaken } from "../../../../server/site/app/plan/taken.ts";

const TEXT = "(I&C SCI 46 (min grade C) OR CSE 46) AND MATH 2B AND (STATS 67 OR MATH 130A) AND NO COMPSCI 260";

it.each([
  [TEXT, "", "", "(I&C SCI 46 or CSE 46) and MATH 2B and (STATS 67 or MATH 130A)"],
  [TEXT, "I&C SCI 46, MATH 2B", "", "STATS 67 or MATH 130A"],
  [TEXT, "CSE 46, MATH 2B, MATH 130A", "", undefined],
  ["PHYSICS 3A (corequisite) AND MATH 2A", "MATH 2A", "PHYSICS 3A", undefined],
  ["PHYSICS 3A AND MATH 2A", "MATH 2A", "PHYSICS 3A", "PHYSICS 3A"],
  ["NO I&C SCI 21", "", "", undefined],
  ["", "", "", undefined],
  ["(MATH 2A", "", "", undefined],
])("of %j, with %j taken and %j planned, %j is missing", (text, taken, planned, missing) => {
  const keys = (names: string) => new Set(names.split(", ").map(courseKey));
  expect(missingPrerequisites(text, { taken: keys(taken), planned: keys(planned) })).toBe(missing);
});

it("reads a pasted list, also of a transcript", () => {
  expect(readTaken("I&C SCI 46, math2b; MATH H3D\nBIO SCI 93  From DNA to Organisms  4.0  A\nnothing\n12")).toEqual([
    "I&CSCI46",
    "MATH2B",
    "MATHH3D",
    "BIOSCI93",
  ]);
});
