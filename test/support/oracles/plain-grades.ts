/** The grades endpoints once more, as plainly as server/RULES.md, Grades says them: what the SQL is measured by. */

export interface PlainGrade {
  year: string;
  quarter: string;
  sectionCode: string;
  department: string;
  courseNumber: string;
  courseNumeric: number;
  geCategories: string[];
  instructors: string[];
  averageGPA: number | null;
  gradeACount: number;
  gradeBCount: number;
  gradeCCount: number;
  gradeDCount: number;
  gradeFCount: number;
  gradePCount: number;
  gradeNPCount: number;
  gradeWCount: number;
}

export type GradeFilters = Partial<
  Record<
    | "year"
    | "quarter"
    | "instructor"
    | "department"
    | "courseNumber"
    | "sectionCode"
    | "division"
    | "ge"
    | "excludePNP",
    string
  >
>;

const QUARTERS = ["Winter", "Spring", "Summer1", "Summer10wk", "Summer2", "Fall"];
const COUNTS = [
  "gradeACount",
  "gradeBCount",
  "gradeCCount",
  "gradeDCount",
  "gradeFCount",
  "gradePCount",
  "gradeNPCount",
  "gradeWCount",
] as const;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const letters = (row: Omit<PlainGrade, "averageGPA">) =>
  row.gradeACount + row.gradeBCount + row.gradeCCount + row.gradeDCount + row.gradeFCount;
const divisionOf = (number: number) => (number < 100 ? "LowerDiv" : number < 200 ? "UpperDiv" : "Graduate");
const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

function isWanted(row: PlainGrade, filters: GradeFilters): boolean {
  const { year, quarter, instructor, department, courseNumber, sectionCode, division, ge, excludePNP } = filters;
  if (year && row.year !== year) return false;
  if (quarter && quarter !== "ANY" && row.quarter !== quarter) return false;
  if (instructor && !row.instructors.some((name) => same(name, instructor))) return false;
  const bare = (code: string) => code.split(" ").join("");
  const isListed = (value: string, list: string) => list.split(",").some((item) => same(bare(value), bare(item)));
  if (department && !isListed("ALL", department) && !isListed(row.department, department)) return false;
  if (courseNumber && !isListed(row.courseNumber, courseNumber)) return false;
  if (sectionCode && row.sectionCode !== sectionCode) return false;
  if (division && division !== "ANY" && divisionOf(row.courseNumeric) !== division) return false;
  if (ge && ge !== "ANY" && !row.geCategories.includes(ge)) return false;
  return excludePNP !== "true" || letters(row) > 0;
}

function distribution(rows: readonly PlainGrade[]) {
  const graded = rows.flatMap(({ averageGPA, ...row }) => (letters(row) > 0 ? (averageGPA ?? []) : []));
  const hundredths = graded.reduce((sum, average) => sum + Math.round(average * 100), 0);
  return {
    ...Object.fromEntries(COUNTS.map((count) => [count, rows.reduce((sum, row) => sum + row[count], 0)])),
    averageGPA: graded.length === 0 ? 0 : hundredths / (100 * graded.length),
  };
}

interface Group {
  names: readonly string[];
  numeric: number;
  rows: PlainGrade[];
}

/** Groups by names that stand in lists, so that no two keys can collide. */
function grouped(pairs: readonly (readonly [names: readonly string[], row: PlainGrade])[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [names, row] of pairs) {
    const key = JSON.stringify(names);
    const group = groups.get(key) ?? { names, numeric: row.courseNumeric, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()].sort(
    (a, b) =>
      compare(a.names[0] ?? "", b.names[0] ?? "") ||
      a.numeric - b.numeric ||
      compare(a.names[1] ?? "", b.names[1] ?? "") ||
      compare(a.names[2] ?? "", b.names[2] ?? ""),
  );
}

const distinct = (values: readonly string[]) => [...new Set(values)].sort(compare);

/** What each of the five views answers; each is made when it is asked for. */
export function plainGrades(all: readonly PlainGrade[], filters: GradeFilters) {
  const rows = all
    .filter((row) => isWanted(row, filters))
    .sort(
      (a, b) =>
        compare(a.year, b.year) ||
        QUARTERS.indexOf(a.quarter) - QUARTERS.indexOf(b.quarter) ||
        compare(a.sectionCode, b.sectionCode),
    );
  const { instructor } = filters;
  const numbers = () =>
    [...new Map(rows.map((row) => [row.courseNumber, row.courseNumeric]))].sort(
      ([a, m], [b, n]) => m - n || compare(a, b),
    );
  const offerings = () =>
    rows.flatMap((row) =>
      [...new Set(row.instructors)]
        .filter((name) => !instructor || same(name, instructor))
        .map((name) => [[row.department, row.courseNumber, name], row] as const),
    );
  return {
    raw: () => rows.map((row) => ({ ...row, averageGPA: row.averageGPA ?? 0 })),
    aggregate: () => ({
      sectionList: rows.map(
        ({ year, quarter, sectionCode, department, courseNumber, courseNumeric, geCategories, instructors }) => ({
          year,
          quarter,
          sectionCode,
          department,
          courseNumber,
          courseNumeric,
          geCategories,
          instructors,
        }),
      ),
      gradeDistribution: distribution(rows),
    }),
    options: () => ({
      years: distinct(rows.map(({ year }) => year)).toReversed(),
      departments: distinct(rows.map(({ department }) => department)),
      courseNumbers: numbers().map(([number]) => number),
      sectionCodes: distinct(rows.map(({ sectionCode }) => sectionCode)),
      instructors: distinct(rows.flatMap(({ instructors }) => instructors)),
    }),
    aggregateByCourse: () =>
      grouped(rows.map((row) => [[row.department, row.courseNumber], row] as const)).map(
        ({ names: [department, courseNumber], rows }) => ({ department, courseNumber, ...distribution(rows) }),
      ),
    aggregateByOffering: () =>
      grouped(offerings()).map(({ names: [department, courseNumber, name], rows }) => ({
        department,
        courseNumber,
        instructor: name,
        ...distribution(rows),
      })),
  };
}
