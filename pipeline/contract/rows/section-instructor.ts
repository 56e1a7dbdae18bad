/** The people whom the names of a section's instructors may mean. */
import { z } from "zod";
import { formed, NETID, vocabulary } from "../forms.ts";
import { deptCode, quarter, sectionCode, shortenedName, year } from "./fields.ts";
import { defineTable, integer, type RowOf } from "../table.ts";

/** How a name was matched with people (pipeline/RULES.md, People). */
export const MATCHES = ["name", "department", "none"] as const;

export const sectionInstructors = defineTable({
  name: "section_instructors",
  about:
    "one row per section with classes or grades, a name of an instructor, and a person whom it may mean; STAFF and sections without a name have none",
  row: z.object({
    year: year(),
    quarter: quarter(),
    sectionCode: sectionCode(),
    department: deptCode(),
    name: shortenedName().describe("name as the schedule writes it, `LASTNAME, F.`; several people may share one"),
    netid: formed(z.string(), NETID).nullable().describe("network id of the person; NULL when nobody has the name"),
    matchedBy: vocabulary(z.enum(MATCHES), { nothing: MATCHES }).describe(
      "`name`: everybody with the name; `department`: those of them in the department; `none`: nobody",
    ),
    candidates: integer().describe("how many people the name may mean: a row each; 1 when it is clear, 0 when nobody"),
  }),
  partitionedBy: ["year"],
  sortedBy: ["quarter", "sectionCode", "department", "name", "netid"],
  key: ["quarter", "sectionCode", "department", "name", "netid"],
});
export type SectionInstructor = RowOf<typeof sectionInstructors>;
