/** Columns shared by several tables. */
import { z } from "zod";
import { integer } from "../table.ts";
import { COURSE_NUMBER, DEPARTMENT_CODE, formed, SECTION_CODE, SHORTENED_NAME, UNITS, vocabulary } from "../forms.ts";
import { GE_CATEGORIES, QUARTERS } from "../vocabulary.ts";

export const year = () => z.string().describe("calendar year, four digits");
export const quarter = () => z.enum(QUARTERS).describe("quarter or summer session of the year");
export const deptCode = () =>
  formed(z.string(), DEPARTMENT_CODE).describe("department code, such as `COMPSCI` or `I&C SCI`");
export const courseNumber = () => formed(z.string(), COURSE_NUMBER).describe("course number, such as `161` or `H32`");
export const courseNumeric = () => integer().describe("the digits of the course number; 0 when it has none");
export const sectionCode = () =>
  formed(z.string(), SECTION_CODE).describe("five digits; tells a section from all others of its term");
export const sectionType = () => vocabulary(z.string()).describe("kind of section, such as `Lec`, `Dis` or `Lab`");
export const sectionNum = () => z.string().describe("letter or number of the section within its course");
export const units = () =>
  formed(z.string(), UNITS).describe("units as the schedule writes them: `4`, or `1-4` where they vary");
export const geCategories = () =>
  z.array(z.enum(GE_CATEGORIES)).describe("general education categories that it satisfies");
export const shortenedName = () => formed(z.string(), SHORTENED_NAME);
export const shortenedNames = () =>
  z.array(shortenedName()).describe("instructors by shortened name, `LASTNAME, F.`; `STAFF` where nobody is named yet");
