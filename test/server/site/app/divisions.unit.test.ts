import { expect, test } from "vitest";
import { DIVISIONS, isOfDivision } from "../../../../server/site/app/data/divisions.ts";

test("each number is of one division: 99 and 199 are the last of theirs", () => {
  const of = (number: number) => DIVISIONS.filter((division) => isOfDivision(number, division)).map(({ id }) => id);
  expect([0, 99, 100, 199, 200, 699].map(of)).toEqual([
    ["LowerDiv"],
    ["LowerDiv"],
    ["UpperDiv"],
    ["UpperDiv"],
    ["Graduate"],
    ["Graduate"],
  ]);
});
