/** The COMPAT=1 fields of courses, people and tutorials (behaviour §10); their rows are rewritten once, at load time. */
import type {
  Course as CourseRow,
  PrerequisiteItem,
  PrerequisiteTree,
} from "../../../pipeline/contract/rows/course.ts";
import { courseKey, namesExam, splitCourseName } from "../../../pipeline/contract/course-name.ts";
import type { Instructor } from "../../../pipeline/contract/rows/instructor.ts";
import type { LarcCourse } from "../../../pipeline/contract/rows/larc.ts";
import type { GeCategory } from "../../../pipeline/contract/vocabulary.ts";
import { type JsonRows, rowCount, slice, toJsonRows } from "../loading/json-rows.ts";
import type { SnapshotTables } from "./all.ts";
import { createYielder } from "../event-loop-yielder.ts";

export type ServedCourse = Omit<CourseRow, "prerequisiteTree"> & {
  readonly prerequisiteTree: PrerequisiteTree | Record<string, never>;
};
export type ServedTutorials = Pick<LarcCourse, "sections">;

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

export interface Previews {
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

export function toCompatCourse(course: ServedCourse, previews: Previews) {
  return {
    ...course,
    prerequisiteTree: toCompatTree(course.prerequisiteTree, previews),
    geList: course.geList.map((category) => GE_NAMES[category]),
    instructors: course.instructorHistory.flatMap((netid) => previews.people.get(netid) ?? []),
    prerequisites: coursesNamed(previews, course.prerequisiteList),
    dependencies: coursesNamed(previews, course.prerequisiteFor),
  };
}

/** A name in the catalogue is a course even if it looks like an exam. */
function toLeaf(name: string, previews: Previews): object {
  return !findCourse(previews, name) && namesExam(name)
    ? { prereqType: "exam", examName: name }
    : { prereqType: "course", coreq: false, courseId: name };
}

const toCompatItem = (item: PrerequisiteItem, previews: Previews): object =>
  typeof item === "string" ? toLeaf(item, previews) : toCompatTree(item, previews);

function toCompatTree(tree: ServedCourse["prerequisiteTree"], previews: Previews): object {
  const nodes = Object.entries(tree) as [string, readonly PrerequisiteItem[]][];
  return Object.fromEntries(nodes.map(([word, items]) => [word, items.map((item) => toCompatItem(item, previews))]));
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
  const [course, instructor] = [courses.jsonRows.course, instructors.jsonRows.instructor];
  for await (const row of rowsOf<ServedCourse>(course)) addCourse(previews, row);
  for await (const row of rowsOf<Instructor>(instructor)) addPerson(previews, row);
  return {
    course: await rewrite<ServedCourse>(course, (row) => toCompatCourse(row, previews)),
    instructor: await rewrite<Instructor>(instructor, (row) => toCompatInstructor(row, previews)),
  };
}

export const compatTutorials = async ({ larc }: Pick<SnapshotTables, "larc">) => ({
  entry: await rewrite<ServedTutorials>(larc.jsonRows.entry, toCompatTutorials),
});

async function* rowsOf<Row>(jsonRows: JsonRows): AsyncGenerator<Row> {
  const yieldToEventLoop = createYielder();
  for (let i = 0; i < rowCount(jsonRows); i++) {
    yield JSON.parse(slice(jsonRows, i, i + 1).toString()) as Row;
    await yieldToEventLoop();
  }
}

async function rewrite<Row>(jsonRows: JsonRows, change: (row: Row) => object): Promise<JsonRows> {
  const texts: string[] = [];
  for await (const row of rowsOf<Row>(jsonRows)) texts.push(JSON.stringify(change(row)));
  return toJsonRows(texts);
}
