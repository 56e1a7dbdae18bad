import { describe, expect, test } from "vitest";
import { departmentKey } from "../../../pipeline/contract/vocabulary.ts";
import { schoolsByDepartment } from "../../../pipeline/normalize/catalogue/school.ts";

describe("school of a department", () => {
  test("the page's own word, the first page first; eleven departments that no page lists", () => {
    const schools = schoolsByDepartment([
      { school: "A", departments: ["MATH", "NET SYS"] },
      { school: "B", departments: ["I&C SCI", "MATH"] },
    ]);
    expect([schools.get("MATH"), schools.get("I&CSCI"), schools.get("NETSYS")]).toEqual(["A", "B", "A"]);
    expect(
      ["DATA", "ECPS", "EHS", "FIN", "GDIM", "ROTC", "UCDC", "UNI AFF", "UNI STU", "SPPS"].every((code) =>
        schools.get(departmentKey(code)),
      ),
    ).toBe(true);
  });
});
