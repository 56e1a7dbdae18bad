/** Parameters of several endpoints (server/RULES.md, HTTP). */
import {
  departmentKey,
  DIVISIONS,
  GE_CATEGORIES,
  QUARTERS,
  SECTION_TYPES,
} from "../../pipeline/contract/vocabulary.ts";
import { formed, oneOf, type Param, text, texts } from "../response/params.ts";

/** Values of enumerations and departments that mean no filter (server/RULES.md, Schedule). */
export const NO_FILTER = ["ANY", "ALL"] as const;

export const yearParam = formed("calendar year", /^\d{4}$/, "a year of four digits", { examples: ["2026"] });
const SECTION_CODE = /^\d{5}$/;
export const sectionCodeParam = formed("section code", SECTION_CODE, "a section code of five digits", {
  examples: ["34250"],
  suggest: withZeros((code) => SECTION_CODE.test(code)),
});

/** Suggests section codes with the leading zeros that spreadsheets strip: `05000` for `5000`. */
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
/** A required quarter: ANY is invalid. */
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

/** Case and spaces do not matter. */
export const departmentParam = text("department code, ignoring case and blanks; ALL and ANY ask for every department", {
  normalize: departmentKey,
  noFilter: NO_FILTER,
  examples: ["COMPSCI"],
});
export const taughtInTermsParam = texts("terms such as `2026 Spring`, ignoring case; any of them", {
  examples: ["2026 Spring", "2025 Fall"],
});
