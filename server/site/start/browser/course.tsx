/** One course: what it is, how it was graded, its sections and how they fill. */
import type { ComponentChildren } from "preact";
import { addressOf, type Answer, ask } from "./ask.ts";
import { DataTable } from "./data-table.tsx";
import { FirstFew } from "./first-few.tsx";
import { GradeCharts } from "./grade-charts.tsx";
import { type GradeRow, groupBy, meanText } from "./grade-sums.ts";
import { JsonLink } from "./json-link.tsx";
import { CourseLink } from "./places.tsx";
import { fetchFirstTerm, TermPart } from "./term-part.tsx";
import { publishedTerms } from "./terms.ts";
import type { ViewRequest } from "./view.ts";
import { count } from "./words.ts";

type Course = Answer<"Course">;

const units = ({ minUnits, maxUnits }: Course) =>
  `${minUnits === maxUnits ? minUnits : `${minUnits}–${maxUnits}`} ${maxUnits === 1 ? "unit" : "units"}`;

/** `I&C SCI 31, I&C SCI 33`, each a link; what is no course of ours (`AP BIOLOGY`) stays words. */
const courseLinks = (names: readonly string[]) =>
  names.map((name, i) => (
    <>
      {i > 0 && ", "}
      {/\d/.test(name) ? <CourseLink name={name} /> : name}
    </>
  ));

function Facts({ course }: { course: Course }) {
  const facts: (readonly [name: string, value: ComponentChildren])[] = [
    ["School", course.school],
    ["Prerequisites", course.prerequisiteText],
    ["Needed for", course.prerequisiteFor.length > 0 && courseLinks(course.prerequisiteFor)],
    ["General education", course.geList.join(", ")],
    ["Restriction", course.restriction],
    ["Corequisites", course.corequisites],
    ["Same as", course.sameAs],
    ["Overlaps with", course.overlap],
    ["Grading", course.gradingOption],
    ["Repeatability", course.repeatability],
  ];
  return (
    <dl>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Most sections first. */
function GradesByInstructor({ rows }: { rows: readonly GradeRow[] }) {
  const groups = [...groupBy(rows, ({ instructors }) => instructors)].sort(([, a], [, b]) => b.length - a.length);
  if (groups.length === 0) return null;
  return (
    <div>
      <FirstFew of={groups} most={8}>
        {(shown) => (
          <DataTable
            caption="By instructor"
            heads={["Instructor", "Sections", "Average"]}
            rows={shown.map(([name, own]) => [name, count(own.length), meanText(own)])}
            isNumber={(column) => column > 0}
          />
        )}
      </FirstFew>
    </div>
  );
}

export async function courseView({ id, asked, remember, signal }: ViewRequest) {
  const address = addressOf(`/courses/${encodeURIComponent(id)}`);
  const course = await ask<Course>(address, signal);
  const { department, courseNumber } = course;
  const key = { department, courseNumber };
  const wish = { filter: key, history: key };
  const gradesAddress = addressOf("/grades/raw", key);
  const terms = publishedTerms();
  // A term that has not begun is not among the course's terms yet: the newest ones are tried as well.
  const tried = [...new Set([...terms.slice(0, 2), ...terms.filter((term) => course.terms.includes(term))])];
  const [grades, first] = await Promise.all([
    ask<GradeRow[]>(gradesAddress, signal),
    fetchFirstTerm(wish, tried, asked, signal),
  ]);
  return (
    <>
      <h2 tabIndex={-1}>
        <span class="over">
          {department} {courseNumber}
        </span>
        {course.title}
      </h2>
      <p class="quiet">{[course.departmentName, course.courseLevel, units(course)].filter(Boolean).join(" · ")}</p>
      <p class="text">{course.description}</p>
      <Facts course={course} />
      <JsonLink name="this course" address={address} />
      <h3>Grades over the years</h3>
      <GradeCharts rows={grades} />
      <GradesByInstructor rows={grades} />
      <JsonLink name="these grades" address={gradesAddress} />
      <h3>Sections</h3>
      <TermPart wish={wish} first={first} chosen={asked.section} remember={remember} />
    </>
  );
}
