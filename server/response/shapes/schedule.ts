/** The schema of a schedule: schools, departments, courses and sections, with the contract's fields that are served. */
import { z } from "zod";
import { headings, sections } from "../../../pipeline/contract/rows/section.ts";
import { fieldsOf } from "../../../pipeline/contract/table.ts";
import {
  COURSE_FIELDS,
  DEPARTMENT_FIELDS,
  SCHOOL_FIELDS,
  SECTION_FIELDS,
} from "../../snapshot/tables/schedule-term.ts";

/** Where `instructorIds=true` asks for it. */
export const idsOfNames = z
  .array(z.array(z.string()))
  .optional()
  .describe(
    "for each of `instructors`, in their order, the network ids of those whom the name may mean; with `instructorIds=true`",
  );

const section = sections.row.shape;
const heading = headings.row.shape;

export const Section = z.object({ ...fieldsOf(section, SECTION_FIELDS), instructorIds: idsOfNames });
export const ScheduleCourse = z.object({ ...fieldsOf(section, COURSE_FIELDS), sections: z.array(Section) });
export const ScheduleDepartment = z.object({
  ...fieldsOf(heading, DEPARTMENT_FIELDS),
  courses: z.array(ScheduleCourse),
});
export const School = z.object({ ...fieldsOf(heading, SCHOOL_FIELDS), departments: z.array(ScheduleDepartment) });
export const Schedule = z.object({ schools: z.array(School) });
