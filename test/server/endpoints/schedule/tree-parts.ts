/** Parts of a schedule's tree, and trees that are joined, the plain way: it shares no code with the server. */
interface Department {
  readonly deptCode: string;
  readonly courses: readonly unknown[];
}
interface School {
  readonly schoolName: string;
  readonly departments: readonly Department[];
}
export interface Tree {
  readonly schools: readonly School[];
}

export const everyCourse = ({ schools }: Tree): unknown[] =>
  schools.flatMap(({ departments }) => departments.flatMap(({ courses }) => courses));

/** The courses `from` to `to` (not included), with the headings above them. */
export function partOfTree({ schools }: Tree, from: number, to: number): Tree {
  let at = 0;
  const inPart = () => {
    const place = at++;
    return place >= from && place < to;
  };
  return {
    schools: schools
      .map((school) => ({
        ...school,
        departments: school.departments
          .map((department) => ({ ...department, courses: department.courses.filter(inPart) }))
          .filter(({ courses }) => courses.length > 0),
      }))
      .filter(({ departments }) => departments.length > 0),
  };
}

/** Pages in their order: where one ends in the school and department in which the next one begins, these are one. */
export function joined(pages: readonly Tree[]): Tree {
  return {
    schools: mergedBy(
      "schoolName",
      "departments",
      pages.flatMap(({ schools }) => schools),
    ).map((school) => ({
      ...school,
      departments: mergedBy("deptCode", "courses", school.departments),
    })),
  };
}

function mergedBy<T>(name: keyof T, children: keyof T, all: readonly T[]): T[] {
  const merged: T[] = [];
  for (const one of all) {
    const last = merged.at(-1);
    if (last?.[name] === one[name] && last)
      merged[merged.length - 1] = { ...last, [children]: [...(last[children] as []), ...(one[children] as [])] };
    else merged.push(one);
  }
  return merged;
}
