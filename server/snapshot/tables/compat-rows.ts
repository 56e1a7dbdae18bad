/** The COMPAT=1 fields of courses, people and tutorials; their rows are rewritten once, at load time. */
import type { Course as CourseRow, PrerequisiteTree, RequirementTree } from "../../../pipeline/contract/rows/course.ts";
import { courseKey, splitCourseName } from "../../../pipeline/contract/course-name.ts";
import type { Instructor } from "../../../pipeline/contract/rows/instructor.ts";
import type { LarcCourse } from "../../../pipeline/contract/rows/larc.ts";
import type { GeCategory } from "../../../pipeline/contract/vocabulary.ts";
import { type JsonRows, rowCount, slice, toJsonRows } from "../loading/json-rows.ts";
import type { SnapshotTables } from "./all.ts";
import { createYielder } from "../event-loop-yielder.ts";

type NoTree = Record<string, never>;
type ServedCourse = Omit<CourseRow, "prerequisiteTree" | "requirementTree"> & {
  readonly prerequisiteTree: PrerequisiteTree | NoTree;
};
type ServedTutorials = Pick<LarcCourse, "sections">;

export const GE_NAMES: Readonly<Record<GeCategory, string>> = {
  "GE-1A": "GE Ia: Lower Division Writing",
  "GE-1B": "GE Ib: Upper Division Writing",
  "GE-2": "GE II: Science and Technology",
  "GE-3": "GE III: Social & Behavioral Sciences",
  "GE-4": "GE IV: Arts and Humanities",
  "GE-5A": "GE Va: Quantitative Literacy",
  "GE-5B": "GE Vb: Formal Reasoning",
  "GE-6": "GE VI: Language Other Than English",
  "GE-7": "GE VII: Multicultural Studies",
  "GE-8": "GE VIII: International/Global Issues",
};

type CoursePreview = Pick<CourseRow, "id" | "department" | "courseNumber" | "title">;
interface PersonPreview {
  readonly ucinetid: string;
  readonly name: string;
  readonly shortenedName: string;
}

interface Previews {
  readonly courses: Map<string, CoursePreview>;
  readonly people: Map<string, PersonPreview>;
}

export const createPreviews = (): Previews => ({ courses: new Map(), people: new Map() });

export function addCourse({ courses }: Previews, { id, department, courseNumber, title }: CoursePreview): void {
  courses.set(courseKey({ department, courseNumber }), { id, department, courseNumber, title });
}

export function addPerson({ people }: Previews, { netid, name, shortenedName }: Instructor): void {
  people.set(netid, { ucinetid: netid, name, shortenedName });
}

function findCourse({ courses }: Previews, name: string): CoursePreview | undefined {
  const split = splitCourseName(name);
  return split && courses.get(courseKey(split));
}

const coursesNamed = (previews: Previews, names: readonly string[]): CoursePreview[] =>
  names.flatMap((name) => findCourse(previews, name) ?? []);

export function toCompatCourse(course: ServedCourse, requirementTree: RequirementTree | NoTree, previews: Previews) {
  return {
    ...course,
    prerequisiteTree: requirementTree,
    geList: course.geList.map((category) => GE_NAMES[category]),
    instructors: course.instructorHistory.flatMap((netid) => previews.people.get(netid) ?? []),
    prerequisites: coursesNamed(previews, course.prerequisiteList),
    dependencies: coursesNamed(previews, course.prerequisiteFor),
  };
}

export function toCompatInstructor({ netid, ...rest }: Instructor, previews: Previews) {
  const courses = coursesNamed(previews, Object.keys(rest.courseHistory));
  return { netid, ucinetid: netid, ...rest, courses };
}

export function toCompatTutorials<T extends ServedTutorials>(entry: T) {
  return {
    ...entry,
    sections: entry.sections.map((section) => ({ ...section, days: section.day, bldg: section.building })),
  };
}

/** One function for both, because courses and people refer to each other. */
export async function compatCatalogue({ courses, instructors }: Pick<SnapshotTables, "courses" | "instructors">) {
  const previews = createPreviews();
  const { course, requirement } = courses.jsonRows;
  const { instructor } = instructors.jsonRows;
  for await (const row of rowsOf<ServedCourse>(course)) addCourse(previews, row);
  for await (const row of rowsOf<Instructor>(instructor)) addPerson(previews, row);
  return {
    course: await rewrite<ServedCourse>(course, (row, i) =>
      toCompatCourse(row, readRow<RequirementTree | NoTree>(requirement, i), previews),
    ),
    requirement,
    instructor: await rewrite<Instructor>(instructor, (row) => toCompatInstructor(row, previews)),
  };
}

export const compatTutorials = async ({ larc }: Pick<SnapshotTables, "larc">) => ({
  entry: await rewrite<ServedTutorials>(larc.jsonRows.entry, toCompatTutorials),
});

async function* rowsOf<Row>(jsonRows: JsonRows): AsyncGenerator<Row> {
  const yieldToEventLoop = createYielder();
  for (let i = 0; i < rowCount(jsonRows); i++) {
    yield readRow<Row>(jsonRows, i);
    await yieldToEventLoop();
  }
}

const readRow = <Row>(jsonRows: JsonRows, i: number): Row => JSON.parse(slice(jsonRows, i, i + 1).toString()) as Row;

async function rewrite<Row>(jsonRows: JsonRows, change: (row: Row, i: number) => object): Promise<JsonRows> {
  const texts: string[] = [];
  for await (const row of rowsOf<Row>(jsonRows)) texts.push(JSON.stringify(change(row, texts.length)));
  return toJsonRows(texts);
}
