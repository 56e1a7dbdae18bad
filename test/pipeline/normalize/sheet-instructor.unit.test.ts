import { expect, it } from "vitest";
import { toSheetInstructors } from "../../../pipeline/normalize/grades/grade.ts";

it.each<[string, string[]]>([
  ["Marwood A.", ["MARWOOD, A."]],
  ["VAN  MARREN J", ["VAN MARREN, J."]],
  ["O'Dell-Oakford P.R.", ["O'DELL-OAKFORD, P."]],
  ["OAKFORD, T.; VAN MARREN, J.; OAKFORD, T.", ["OAKFORD, T.", "VAN MARREN, J."]],
  ["Featherstonehaugh Q.", ["FEATHERSTONEHA, Q."]],
  ["Marren Oakfordes J.", ["MARREN OAKFORD, J."]],
  ["O Brannagh K.", ["O BRANNAGH, K."]],
  ["Oakford.", ["OAKFORD"]],
  ["UNKNOWN INSTRUCTOR", []],
  ["REDACTED", []],
  ["[REDACTED]", []],
  ["Staff", []],
  ["", []],
])("%s is written as the schedule would", (text, names) => {
  expect(toSheetInstructors(text)).toEqual(names);
});
