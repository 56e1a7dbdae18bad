/** Courses and instructors (server/RULES.md, Instructors and courses), with the further fields of COMPAT=1. */
import { filtered } from "./filters.ts";
import type { Query } from "./query.ts";
import { type Answer, by, list, Missing, type Moment, object, pick, type Row, type Tables } from "./rows.ts";

const COURSE =
  "id department courseNumber courseNumeric school title courseLevel minUnits maxUnits description departmentName instructorHistory prerequisiteTree prerequisiteList prerequisiteText prerequisiteFor repeatability gradingOption concurrent sameAs restriction overlap corequisites geList geText terms";
const FILTERS: Readonly<Record<string, string>> = {
  courses:
    "department courseNumber courseNumeric titleContains courseLevel minUnits maxUnits descriptionContains taughtByInstructors geCategory taughtInTerms",
  instructors:
    "nameContains shortenedName titleContains departmentContains schoolsContains relatedDepartmentsContains taughtInTerms",
};
const CATEGORIES =
  "1A Ia: Lower Division Writing|1B Ib: Upper Division Writing|2 II: Science and Technology|3 III: Social & Behavioral Sciences|4 IV: Arts and Humanities|5A Va: Quantitative Literacy|5B Vb: Formal Reasoning|6 VI: Language Other Than English|7 VII: Multicultural Studies|8 VIII: International/Global Issues";
const categoryOf = (code: string): string => {
  const line = CATEGORIES.split("|").find((category) => `GE-${category.split(" ")[0]}` === code) ?? "";
  return `GE ${line.slice(line.indexOf(" ") + 1)}`;
};

/** Rows as they are shown, in files and plain JSON, and with COMPAT=1. */
function shapesOf({ courses, instructors }: Tables) {
  const named = (names: readonly string[]): Row[] => {
    const isNamed = (name: string) => courses.filter((row) => `${row.department} ${row.courseNumber}` === name);
    return names.flatMap(isNamed).map((row) => pick(row, "id department courseNumber title"));
  };
  const course = (row: Tables["courses"][number]): Row => ({
    ...pick(row, COURSE),
    prerequisiteTree: JSON.parse(row.prerequisiteTree) as unknown,
  });
  const person = (row: Tables["instructors"][number]): Row => row;
  return {
    courses: [
      course,
      (row: Tables["courses"][number]): Row => ({
        ...course(row),
        prerequisiteTree: JSON.parse(row.requirementTree) as unknown,
        geList: row.geList.map(categoryOf),
        instructors: row.instructorHistory
          .flatMap((netid) => instructors.filter((instructor) => instructor.netid === netid))
          .map(({ netid, name, shortenedName }) => ({ ucinetid: netid, name, shortenedName })),
        prerequisites: named(row.prerequisiteList),
        dependencies: named(row.prerequisiteFor),
      }),
    ],
    instructors: [
      person,
      ({ netid, ...row }: Tables["instructors"][number]): Row => {
        const courses = named(Object.keys(row.courseHistory));
        return { netid, ucinetid: netid, ...row, courses };
      },
    ],
  } as const;
}

export function catalogueAnswer(path: string, id: string, { tables, isCompat }: Moment, query: Query): Answer {
  const [, first, last] = path.split("/") as [string, "courses" | "instructors", string?];
  const [plain, compat] = shapesOf(tables)[first] as readonly [(row: object) => Row, (row: object) => Row];
  const shown = isCompat ? compat : plain;
  const idOf = (row: Row) => (row["id"] ?? row["netid"]) as string;
  // The name of a course stands wherever its id does.
  const keyOf = (text: string) => (first === "courses" ? text.replace(/\s+/g, "") : text).toLowerCase();
  const rows = [...(tables[first] as readonly Row[])].sort(by(first === "courses" ? "id" : "netid"));
  const withId = (all: readonly Row[], wantedId: string) => all.filter((row) => keyOf(idOf(row)) === keyOf(wantedId));
  if (last === "all") return list(rows, plain, shown);
  if (last === ":id") {
    const [match] = withId(rows, id);
    if (!match) throw new Missing();
    return object(shown(match), [plain(match)]);
  }
  const ids = [...new Set(query.list("ids").map(keyOf))];
  const wanted = filtered(rows, FILTERS[first] ?? "", query, tables);
  return list(ids.length === 0 ? wanted : ids.flatMap((wantedId) => withId(wanted, wantedId)), plain, shown);
}
