/** Parameters that several endpoints take, with the forms that behaviour §1 gives them. */
import {
  departmentKey,
  DIVISIONS,
  GE_CATEGORIES,
  QUARTERS,
  SECTION_TYPES,
} from "../../pipeline/contract/vocabulary.ts";
import { formed, oneOf, type Param, text } from "../response/params.ts";

/** Wherever an enumeration or a department is asked, these mean that nothing is (behaviour §8). */
export const NO_FILTER = ["ANY", "ALL"] as const;

export const yearParam = formed("calendar year", /^\d{4}$/, "a year of four digits", { examples: ["2026"] });
const SECTION_CODE = /^\d{5}$/;
export const sectionCodeParam = formed("section code", SECTION_CODE, "a section code of five digits", {
  examples: ["34250"],
  suggest: withZeros((code) => SECTION_CODE.test(code)),
});

/** Codes of a wrong text with the zeros that spreadsheets take off, where that makes it right: `5000` is probably `05000`. */
export function withZeros(isRight: (codes: string) => boolean): (wrong: string) => string | undefined {
  return (wrong) => {
    const whole = wrong.replace(/\d+/g, (digits) => digits.padStart(5, "0"));
    return isRight(whole) ? whole : undefined;
  };
}
export const courseNumberParam = text("course number, ignoring case", { examples: ["161"] });
export const instructorParam = text("an instructor's shortened name, ignoring case and diacritics", {
  examples: ["AMBERLEY, R."],
});
/** A required quarter: ANY is no quarter. */
export const requiredQuarterParam: Param<(typeof QUARTERS)[number]> = {
  ...oneOf("quarter or summer session", QUARTERS, { examples: ["Fall"] }),
  required: true,
};
export const quarterParam = oneOf("quarter or summer session", QUARTERS, { noFilter: NO_FILTER, examples: ["Fall"] });
export const divisionParam = oneOf(
  "division of the course number: LowerDiv 1-99, UpperDiv 100-199, Graduate 200+",
  DIVISIONS,
  { noFilter: NO_FILTER, examples: ["UpperDiv"] },
);
export const geParam = oneOf("general education category", GE_CATEGORIES, { noFilter: NO_FILTER, examples: ["GE-2"] });
export const sectionTypeParam = oneOf("section type", SECTION_TYPES, { noFilter: NO_FILTER, examples: ["Lec"] });

/** A department code in any case, with or without blanks, as it is compared. */
export const departmentParam: Param<string> = {
  about: "department code, ignoring case and blanks; ALL and ANY ask for every department",
  multi: false,
  schema: { type: "string", examples: ["COMPSCI"] },
  read: ([code = ""]) => {
    const key = departmentKey(code);
    return key === "" || key === "ALL" || key === "ANY" ? undefined : key;
  },
};
