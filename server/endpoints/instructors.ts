/** Instructors (server/RULES.md, Instructors and courses). */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import { sql } from "../duckdb/sql.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { text, texts } from "../response/params.ts";
import { columnsOf } from "../snapshot/loading/loading.ts";
import { instructorsTable } from "../snapshot/tables/catalogue.ts";
import { containsAny, defineCollection, idsFilter, partFilter } from "./collection.ts";
import { either, filterOver } from "./filters.ts";
import { taughtInTermsParam } from "./shared-filters.ts";

const keyOfPerson = (netid: string): string => netid.toLowerCase();

const filter = filterOver<keyof typeof instructorsTable.columns>();

const filters = {
  ids: idsFilter("netids, ignoring case", ["ramberley", "skim"], keyOfPerson),
  nameContains: filter(
    text("part of the name, ignoring case and diacritics", { withCommas: true, examples: ["amberley"] }),
    (part, c) => sql`contains(${c.nameKey}, ${nameKey(part)})`,
    (part) => `with "${part}" in the name`,
  ),
  shortenedName: filter(
    text("the schedule's form of the name, ignoring case and diacritics; several people may share one", {
      withCommas: true,
      examples: ["AMBERLEY, R."],
    }),
    (name, c) => sql`${c.shortenedNameKey} = ${nameKey(name)}`,
    (name) => `shown in the schedule as ${name}`,
  ),
  titleContains: partFilter("titleKey", "the title", "Lecturer"),
  departmentContains: partFilter("departmentKey", "the department's name", "Computer Science"),
  schoolsContains: filter(
    texts("schools; any of them is the instructor's, ignoring case", { examples: ["School of Engineering"] }),
    (schools, c) => containsAny(c.schoolKeys, schools),
    (schools) => `at ${either(schools)}`,
  ),
  relatedDepartmentsContains: filter(
    texts("department codes; any of them is related, ignoring case", { examples: ["COMPSCI"] }),
    (codes, c) => containsAny(c.relatedKeys, codes),
    (codes) => `related to ${either(codes)}`,
  ),
  taughtInTerms: filter(
    taughtInTermsParam,
    (terms, c) => containsAny(c.termKeys, terms),
    (terms) => `who taught in ${either(terms)}`,
  ),
};

export const instructorEndpoints: readonly Endpoint[] = defineCollection({
  noun: "instructor",
  id: { about: "netid", key: keyOfPerson, example: "ramberley" },
  example: { titleContains: "Lecturer" },
  products: ["instructors", "history"],
  shapes: ["Instructor", "Instructors"],
  filters,
  loading: instructorsTable,
  columns: columnsOf(instructorsTable),
  key: "netid",
});
