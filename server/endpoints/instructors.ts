/** Instructors (server/RULES.md, Instructors and courses). */
import { taughtInTermsParam } from "./shared-params.ts";
import { nameKey } from "../../pipeline/contract/name-key.ts";
import { sql } from "../duckdb/sql.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { type Filters, text, texts } from "../response/params.ts";
import { numberedRows } from "../snapshot/loading/published-rows.ts";
import { instructorsTable } from "../snapshot/tables/catalogue.ts";
import { containsAny, defineCollection } from "./collection.ts";

const params = {
  nameContains: text("part of the name, ignoring case and diacritics", { examples: ["amberley"] }),
  shortenedName: text("the schedule's form of the name, ignoring case and diacritics; several people may share one", {
    examples: ["AMBERLEY, R."],
  }),
  titleContains: text("part of the title, ignoring case", { examples: ["Lecturer"] }),
  departmentContains: text("part of the department's name, ignoring case", { examples: ["Computer Science"] }),
  schoolsContains: texts("schools; any of them is the instructor's, ignoring case", {
    examples: ["School of Engineering"],
  }),
  relatedDepartmentsContains: texts("department codes; any of them is related, ignoring case", {
    examples: ["COMPSCI"],
  }),
  taughtInTerms: taughtInTermsParam,
};

const filters: Filters<typeof params> = {
  nameContains: (part) => sql`contains(nameKey, ${nameKey(part)})`,
  shortenedName: (name) => sql`shortenedNameKey = ${nameKey(name)}`,
  titleContains: (part) => sql`contains(titleKey, lower(${part}))`,
  departmentContains: (part) => sql`contains(departmentKey, lower(${part}))`,
  schoolsContains: (schools) => containsAny(sql`schoolKeys`, schools),
  relatedDepartmentsContains: (codes) => containsAny(sql`relatedKeys`, codes),
  taughtInTerms: (terms) => containsAny(sql`termKeys`, terms),
};

export const instructorEndpoints: readonly Endpoint[] = defineCollection({
  path: "/instructors",
  nouns: ["instructor", "instructors"],
  idAbout: "netid",
  idExample: "ramberley",
  example: { titleContains: "Lecturer" },
  products: ["instructors", "history"],
  shapes: ["Instructor", "Instructors"],
  params,
  filters,
  loading: instructorsTable,
  key: "netid",
  table: (snapshot) => {
    const { instructors } = snapshot.tables;
    return { ...instructors, rows: instructors.jsonRows.instructor, published: numberedRows(snapshot, "instructors") };
  },
});
