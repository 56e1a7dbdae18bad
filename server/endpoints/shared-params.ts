/** Parameters that several endpoints take, with the forms that behaviour §1 gives them. */
import {
  departmentKey,
  DIVISIONS,
  GE_CATEGORIES,
  QUARTERS,
  SECTION_TYPES,
} from "../../pipeline/contract/vocabulary.ts";
import { formed, oneOf, type Param } from "../params.ts";

/** Wherever an enumeration or a department is asked, these mean that nothing is (behaviour §8). */
export const NO_FILTER = ["ANY", "ALL"] as const;

export const yearParam = formed("calendar year", /^\d{4}$/, "a year of four digits");
export const sectionCodeParam = formed("section code", /^\d{5}$/, "a section code of five digits");
/** A required quarter: ANY is no quarter. */
export const requiredQuarterParam: Param<(typeof QUARTERS)[number]> = { ...oneOf("quarter", QUARTERS), required: true };
export const quarterParam = oneOf("quarter", QUARTERS, { noFilter: NO_FILTER });
export const divisionParam = oneOf("division of the course number", DIVISIONS, { noFilter: NO_FILTER });
export const geParam = oneOf("GE category", GE_CATEGORIES, { noFilter: NO_FILTER });
export const sectionTypeParam = oneOf("section type", SECTION_TYPES, { noFilter: NO_FILTER });

/** A department code in any case, with or without blanks, as it is compared. */
export const departmentParam: Param<string> = {
  about: "department code, ignoring case and blanks; ALL and ANY ask for every department",
  multi: false,
  schema: { type: "string" },
  read: ([code = ""]) => {
    const key = departmentKey(code);
    return key === "" || key === "ALL" || key === "ANY" ? undefined : key;
  },
};
