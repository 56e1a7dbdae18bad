/** The columns by which views identify a section. */
import { deptCode } from "../rows/fields.ts";
import { sections } from "../rows/section.ts";

const { year, quarter, sectionCode, courseNumber, courseNumeric, sectionType, sectionNum, cancelled } =
  sections.row.shape;

/** Views name the department as most tables do. */
export const sectionFields = {
  ...{ year, quarter, sectionCode, department: deptCode(), courseNumber, courseNumeric },
  ...{ sectionType, sectionNum, cancelled },
};

export const SECTION = Object.keys(sectionFields).join(", ");
/** The same columns, from a row of `sections`. */
export const SECTION_OF_TABLE = SECTION.replace("department", "deptCode AS department");
