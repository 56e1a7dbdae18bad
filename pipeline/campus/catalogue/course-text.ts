/**
 * The catalogue's entry for a course, field by field. Texts follow from the course's seed and are generated with the
 * page.
 */
import { courseName, type CampusCourse } from "../courses/courses.ts";
import { FILLED_SHARES, GRADING_OPTIONS, REPEATABILITY } from "../facts/courses.ts";
import { QUALITIES, SENTENCES, SUBJECTS } from "../facts/topics.ts";
import { createStream, draw, pick, weighted } from "../random.ts";

export interface CourseText {
  readonly minUnits: number;
  readonly maxUnits: number;
  readonly description: string;
  readonly repeatability: string;
  readonly gradingOption: string;
  readonly concurrent: string;
  readonly sameAs: string;
  readonly overlap: string;
  readonly corequisites: string;
  readonly restriction: string;
  readonly geText: string;
}

const repeatability = weighted(REPEATABILITY);
const gradingOption = weighted(GRADING_OPTIONS);

/** `inventory`: the courses of the same department. */
export function courseText(course: CampusCourse, inventory: readonly CampusCourse[]): CourseText {
  const { seed } = course;
  const [minUnits = 0, maxUnits = minUnits] = course.units.split("-").map(Number);
  const others = inventory.filter(
    (other) => other !== course && other.catalogued && Math.abs(other.digits - course.digits) < 60,
  );
  const other = others.length > 0 ? pick(others, draw(seed, 101)) : undefined;
  const names = (stream: number, share: number): string =>
    other && draw(seed, stream) < share ? `${courseName(other)}.` : "";
  const graduate = course.digits >= 200;
  const twin = course.mirrorOf ?? course.mirroredBy;
  return {
    minUnits,
    maxUnits,
    description: describe(course),
    repeatability: course.topics
      ? "Unlimited as topics vary."
      : draw(seed, 102) < FILLED_SHARES.repeatability
        ? repeatability(draw(seed, 103))
        : "",
    gradingOption: draw(seed, 104) < FILLED_SHARES.gradingOption ? gradingOption(draw(seed, 105)) : "",
    concurrent: graduate ? names(106, FILLED_SHARES.concurrent * 2) : "",
    sameAs: twin ? `${courseName(twin)}.` : "",
    overlap: names(107, FILLED_SHARES.overlap),
    corequisites: names(108, FILLED_SHARES.corequisite).replace(/\.$/, ""),
    restriction: draw(seed, 109) < FILLED_SHARES.restriction ? restrict(course, graduate) : "",
    geText: course.geText,
  };
}

function restrict({ department, digits, seed }: CampusCourse, graduate: boolean): string {
  if (graduate) return "Graduate students only.";
  const x = draw(seed, 110);
  if (x < 0.6) return `${department.name} Majors have first consideration for enrollment.`;
  if (x < 0.8)
    return `${department.school} students have first consideration for enrollment. ${department.name} Majors only.`;
  if (digits < 100) return "Lower-division students only.";
  return x < 0.9 ? "Upper-division students only." : "Seniors only.";
}

/** Two or three sentences, 57 to 320 characters. */
function describe({ department, seed, title }: CampusCourse): string {
  const random = createStream(seed + 111);
  const topic = (): string =>
    `${pick(QUALITIES[department.style], random())} ${pick(SUBJECTS[department.style], random())}`.toLowerCase();
  const count = 2 + Math.floor(random() * 2);
  const chosen = Array.from({ length: count }, () => pick(SENTENCES, random()).replaceAll("{}", topic));
  return `${title}: an overview. ${[...new Set(chosen)].join(" ")}`;
}
