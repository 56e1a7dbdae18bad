/** Who teaches which section. */
import { UNNAMED } from "../name-key.ts";
import { sections } from "../rows/section.ts";
import { descriptionsOf, type View } from "./view.ts";

const COLUMNS = "courseNumber, courseNumeric, sectionType, sectionNum, cancelled";

export const teaching: View = {
  name: "teaching",
  about: "one row a section and instructor whom the schedule names; a section where nobody is named yet has none",
  tables: [sections.name],
  select: `SELECT year, quarter, sectionCode, department, ${COLUMNS}, instructor, instructorCount
    FROM (SELECT year, quarter, sectionCode, deptCode AS department, ${COLUMNS}, unnest(instructors) AS instructor,
        len(instructors)::INTEGER - list_contains(instructors, '${UNNAMED}')::INTEGER AS instructorCount FROM ${sections.name})
    WHERE instructor <> '${UNNAMED}'`,
  descriptions: {
    ...descriptionsOf(sections),
    instructor: "shortened name, `LASTNAME, F.`; several people may share one",
    instructorCount: "how many instructors the section names; more than 1 where it is co-taught",
  },
};
