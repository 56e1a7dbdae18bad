/** The instructors of each section. */
import { z } from "zod";
import { UNNAMED } from "../name-key.ts";
import { shortenedName } from "../rows/fields.ts";
import { sections } from "../rows/section.ts";
import { integer } from "../table.ts";
import { SECTION, SECTION_OF_TABLE, sectionFields } from "./section.ts";
import { defineView } from "./view.ts";

export const teaching = defineView({
  name: "teaching",
  about: "one row per section and instructor whom the schedule names; a section where nobody is named yet has none",
  row: z.object({
    ...sectionFields,
    instructor: shortenedName().describe("shortened name, `LASTNAME, F.`; several people may share one"),
    instructorCount: integer().describe("how many instructors the section names; more than 1 where it is co-taught"),
  }),
  tables: [sections.name],
  partitionedBy: sections.partitionedBy,
  sortedBy: [],
  key: [],
  select: `SELECT ${SECTION}, instructor, instructorCount
    FROM (SELECT ${SECTION_OF_TABLE}, unnest(instructors) AS instructor,
        len(instructors)::INTEGER - list_contains(instructors, '${UNNAMED}')::INTEGER AS instructorCount FROM ${sections.name})
    WHERE instructor <> '${UNNAMED}'`,
});
