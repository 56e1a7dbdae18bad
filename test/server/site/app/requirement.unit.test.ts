/** Requirements in words as trees. */
import { describe, expect, it } from "vitest";
import {
  isCourse,
  isGroup,
  parseRequirement,
  type Requirement,
} from "../../../../server/site/app/course/requirement.ts";

/** `A [remark]`, `!A` for an exclusion, `(… & …)` and `(… | …)`. */
function print(requirement: Requirement): string {
  if (isGroup(requirement)) return `(${requirement.parts.map(print).join(requirement.all ? " & " : " | ")})`;
  const { name, remarks, isExcluded } = requirement;
  return `${isExcluded ? "!" : ""}${name}${remarks.map((one) => ` [${one}]`).join("")}`;
}

describe("parseRequirement", () => {
  it.each([
    ["MATH 2A", "MATH 2A"],
    ["MATH 2A (min grade C) (corequisite)", "MATH 2A [min grade C] [corequisite]"],
    ["I&C SCI 33 AND (MATH 2A OR MATH H2A)", "(I&C SCI 33 & (MATH 2A | MATH H2A))"],
    [
      "STATS 7 OR (STATS 8 AND (MATH 2A OR AP CALCULUS AB (min score 4)))",
      "(STATS 7 | (STATS 8 & (MATH 2A | AP CALCULUS AB [min score 4])))",
    ],
    ["NO I&C SCI 21 AND SENIOR STANDING ONLY", "(!I&C SCI 21 & SENIOR STANDING ONLY)"],
    ["NO AP CALCULUS BC score of 4 or greater", "!AP CALCULUS BC score of 4 or greater"],
    ["BRAND 10 OR PORTUG 1A", "(BRAND 10 | PORTUG 1A)"],
  ])("%s", (text, tree) => {
    const requirement = parseRequirement(text);
    expect(requirement && print(requirement)).toBe(tree);
  });

  it.each(["", "(", ")", "A AND", "AND A", "(A OR B", "A) OR B", "A (min grade"])("%j is none", (text) =>
    expect(parseRequirement(text)).toBeUndefined(),
  );
});

it.each([
  ["MATH 2A", false, true],
  ["AP CALCULUS BC", false, false],
  ["SAT MATH 2", false, false],
  ["SENIOR STANDING ONLY", false, false],
  // Courses that exclude this one are in no list.
  ["CRM/LAW C7", true, true],
  ["UNLISTED 5", false, false],
])("%s, excluded: %s, is a course: %s", (name, isExcluded, is) =>
  expect(isCourse({ name, remarks: [], isExcluded }, ["MATH 2A", "AP CALCULUS BC", "SAT MATH 2"])).toBe(is),
);
