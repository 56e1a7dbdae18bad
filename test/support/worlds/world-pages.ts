/** A world's rows as the sample campus's pages take them: the service's words are put back into the upstream's. */
import type { CampusCourse } from "../../../pipeline/campus/courses/courses.ts";
import type { CampusDepartment } from "../../../pipeline/campus/courses/departments.ts";
import type { PageData } from "../../../pipeline/campus/page-data.ts";
import type { Person } from "../../../pipeline/campus/people.ts";
import { hashText } from "../../../pipeline/campus/random.ts";
import { campusTerm, type CampusTerm } from "../../../pipeline/campus/sections/term-calendar.ts";
import type { TermSections } from "../../../pipeline/campus/sections/term.ts";
import { compareTerms, parseTermName, type Term } from "../../../pipeline/contract/vocabulary.ts";
import { toCourse, toTermSections } from "./world-schedule.ts";
import { isOf, termsOf, type World, type WorldCourse, type WorldInstructor, type WorldTutorials } from "./world.ts";

export function toPageData(world: World): PageData {
  const departments = world.departments.map(toDepartment(world));
  const named = new Map(departments.map((department) => [department.code, department]));
  const rows = new Map<CampusCourse, WorldCourse>();
  const courses = departments.map((department) =>
    world.courses
      .filter((row) => row.department === department.code)
      .map((row) => {
        const course = toCourse(department, row.courseNumber, row);
        rows.set(course, row);
        return course;
      }),
  );
  const everybody = world.instructors.map((row) => toPerson(row, named));
  const terms = new Map<string, TermSections>();
  const lastDay = Math.max(...world.calendar.map(({ finalsEnd }) => parseDay(finalsEnd)));
  return {
    departments,
    courses,
    people: [everybody],
    today: () => lastDay,
    hour: () => lastDay,
    terms: () => termsOf(world).map(campusTerm),
    term(year, quarter) {
      const term = campusTerm({ year, quarter });
      const made = terms.get(term.code) ?? toTermSections(world, term, named);
      terms.set(term.code, made);
      return made;
    },
    courseText: (course) => rows.get(course) as WorldCourse,
    calendar: (term) => toDates(world, term),
    tutorials: (term) => world.larc.filter(isOf(term)).map(toTutoredCourse),
  };
}

const toDepartment =
  ({ schools }: World) =>
  (row: World["departments"][number], index: number): CampusDepartment => ({
    index,
    seed: hashText(row.code),
    code: row.code,
    name: row.name,
    school: row.school,
    schoolCode: String(10 + schools.findIndex(({ name }) => name === row.school)),
    schoolComment: schools.find(({ name }) => name === row.school)?.comment ?? "",
    comment: row.comment,
    codeComments: row.sectionCodeRangeComments.map((html) => ["00000", "99999", html]),
    numberComments: row.courseNumberRangeComments.map((html) => ["0", "999", html]),
    started: undefined,
    ended: row.until === undefined ? undefined : toEnd(row.until),
    ...UNSHOWN_OF_DEPARTMENT,
  });

/** `2016 Spg`, `2017 SS2`; undefined for an end that names no term. */
const toEnd = (until: string): Term | undefined =>
  parseTermName(until.replace("Spg", "Spring").replace("SS", "Summer"));

/** Properties that only the generation of a campus needs, and no page shows. */
const UNSHOWN_OF_DEPARTMENT = {
  style: "social",
  firstCode: 0,
  endCode: 0,
  mainSections: 0,
  summerSections: 0,
  mainCourses: 0,
  inventory: 0,
  gpa: 0,
} as const;

/** The department that the directory names need not be one of the campus. */
function toPerson(row: WorldInstructor, named: ReadonlyMap<string, CampusDepartment>): Person {
  const words = row.name.split(" ");
  const [any] = named.values();
  return {
    netid: row.netid,
    first: words[0] ?? "",
    middle: words.slice(1, -1).join(" "),
    last: words.length > 1 ? (words.at(-1) as string) : "",
    shortName: row.shortenedName,
    title: row.title,
    email: row.email,
    department: { ...(any as CampusDepartment), name: row.department },
    departments: row.relatedDepartments.flatMap((code) => named.get(code) ?? []),
  };
}

const parseDay = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;

function toDates(world: World, term: Term): CampusTerm | undefined {
  const row = world.calendar.find((dates) => compareTerms(dates, term) === 0);
  return (
    row && {
      ...campusTerm(term),
      instructionStart: parseDay(row.instructionStart),
      instructionEnd: parseDay(row.instructionEnd),
      finalsStart: parseDay(row.finalsStart),
      finalsEnd: parseDay(row.finalsEnd),
    }
  );
}

const DAY_NAMES: Readonly<Record<string, string>> = {
  Su: "Sun",
  M: "Mon",
  Tu: "Tue",
  W: "Wed",
  Th: "Thu",
  F: "Fri",
  Sa: "Sat",
};

/** `MW`, `9:00-10:50a` → `Mon/Wed`, `9:00 - 10:50 AM` */
const toTutoredCourse = ({ courseNumber, courseName, sameAs = "", sections }: WorldTutorials) => ({
  name: courseNumber,
  sameAs,
  title: courseName,
  tutorials: sections.map(({ day, time, instructor, building }) => ({
    days: (day.match(/Su|Sa|Tu|Th|[MWF]/g) ?? []).map((code) => DAY_NAMES[code]).join("/"),
    time: time.replace("-", " - ").replaceAll("a", " AM").replaceAll("p", " PM"),
    tutor: instructor,
    place: building === "ON LINE" ? "Online" : building,
  })),
});
