/**
 * The names of courses, by the tables: every former name × every set of names that the catalogue has, in the lookup, in
 * SQL and in `prerequisiteFor`.
 */
import { join } from "node:path";
import { expect, it } from "vitest";
import { courseIdKey } from "../../../pipeline/contract/course-name.ts";
import { createFormerNames } from "../../../pipeline/contract/former-names.ts";
import { toCourses } from "../../../pipeline/normalize/taught-courses.ts";
import { runSql } from "../../support/run-sql.ts";
import { publishRows } from "../../support/published/published.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { scratchFolder } from "../publish/scratch.ts";

const artifacts = scratchFolder();

/** The printed renamings: the number of the new name, and that of the old name. */
const PRINTED: readonly (readonly (readonly [course: number, former: number])[])[] = [
  [[1, 2]],
  [
    [1, 2],
    [1, 3],
  ],
  [
    [1, 2],
    [3, 2],
  ],
  [
    [1, 2],
    [3, 2],
    [3, 4],
  ],
];
const NUMBERS = [1, 2, 3, 4];

interface Group {
  readonly department: string;
  readonly printed: (typeof PRINTED)[number];
  readonly catalogued: readonly number[];
}

/** Combines each of them with every set of names that the catalogue may have, in a separate department. */
const groups = PRINTED.flatMap((printed, shape) =>
  Array.from({ length: 2 ** NUMBERS.length }, (_, set): Group => ({
    department: `${"ABCD"[shape]} ${String.fromCodePoint(65 + set)}`,
    printed,
    catalogued: NUMBERS.filter((_number, bit) => (set & (2 ** bit)) > 0),
  })),
);

/** The rule in other words: its own course; else those that were called so; else those with a name in common. */
function expected({ printed, catalogued }: Group, number: number): number[] {
  const has = (numbers: readonly number[]) =>
    [...new Set(numbers)].filter((number) => catalogued.includes(number)).toSorted();
  if (catalogued.includes(number)) return [number];
  const newer = printed.filter(([, former]) => former === number).map(([course]) => course);
  if (has(newer).length > 0) return has(newer);
  return has(printed.filter(([course]) => course === number || newer.includes(course)).map(([, former]) => former));
}

it("a name leads to the course that has it or had it, one and the same everywhere", async () => {
  const idOf = (department: string, number: number) => `${department}${number}`.replaceAll(" ", "");
  const rows = groups.flatMap(({ department, printed }) =>
    printed.map(([course, former]) => ({
      courseId: idOf(department, course),
      formerId: idOf(department, former),
      since: null,
    })),
  );
  const names = groups.flatMap(({ department }) => NUMBERS.map((number) => `${department} ${number}`));
  const asks = courseRow({
    department: "ASKS",
    courseNumber: "1",
    prerequisiteList: names,
    requirementTree: JSON.stringify({
      AND: names.map((courseId) => ({ prereqType: "course", coreq: false, courseId })),
    }),
  });
  const listed = groups.flatMap(({ department, catalogued }) =>
    catalogued.map((number) => courseRow({ department, courseNumber: String(number) })),
  );
  const courses = [asks, ...listed];
  const keys = new Set(courses.map(({ id }) => courseIdKey(id)));
  const { courseIdsOf } = createFormerNames(rows);
  await publishRows(artifacts, { courses, former_names: rows });
  let json = "";
  const statement = "SELECT name, prerequisite FROM prerequisites WHERE course = 'ASKS1'";
  for await (const piece of runSql(artifacts, statement, "json", { tempFolder: join(artifacts, "spill") }))
    json += piece;
  const joined = new Map(
    (JSON.parse(json) as { name: string; prerequisite: string | null }[]).map((row) => [row.name, row.prerequisite]),
  );
  const nobody = { termsOf: () => [], instructorsOf: () => [], coursesOf: () => ({}) };
  const requiredBy = toCourses(courses, nobody, rows).filter(({ prerequisiteFor }) => prerequisiteFor.length > 0);
  const required = new Set<string>();
  for (const group of groups)
    for (const number of NUMBERS) {
      const name = `${group.department} ${number}`;
      const ids = expected(group, number).map((other) => idOf(group.department, other));
      expect(courseIdsOf(name, keys).map(courseIdKey).toSorted(), name).toEqual(ids.map(courseIdKey));
      expect(joined.get(name), name).toBe(ids.length === 1 ? ids[0] : null);
      if (ids.length === 1) required.add(ids[0] as string);
    }
  expect(joined.size).toBe(names.length);
  expect(new Set(requiredBy.map(({ id }) => id))).toEqual(required);
  expect(requiredBy.every(({ prerequisiteFor }) => prerequisiteFor.join() === "ASKS 1")).toBe(true);
});
