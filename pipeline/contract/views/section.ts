/** The columns by which views tell a section. */
import { deptCode } from "../rows/fields.ts";
import { sections } from "../rows/section.ts";

const { year, quarter, sectionCode, courseNumber, courseNumeric, sectionType, sectionNum, cancelled } =
  sections.row.shape;

/** Views call the department by the name that most tables have for it. */
export const sectionFields = {
  ...{ year, quarter, sectionCode, department: deptCode(), courseNumber, courseNumeric },
  ...{ sectionType, sectionNum, cancelled },
};

export const SECTION = Object.keys(sectionFields).join(", ");
/** The same of a row of `sections`. */
export const SECTION_OF_TABLE = SECTION.replace("department", "deptCode AS department");
