/** One course: facts, grades, sections, enrollment. */
import type { ComponentChildren } from "preact";
import { addressOf, type ResponseBody, fetchJson } from "../fetch-json.ts";
import { DataTable } from "../data-table.tsx";
import { ShowMore } from "../show-more.tsx";
import { GradeCharts } from "../charts/grade-charts.tsx";
import { type GradeRow, groupBy, meanText } from "../charts/grade-sums.ts";
import { JsonLink, CourseLink } from "../links.tsx";
import { fetchFirstTerm, TermPart } from "./term-part.tsx";
import { publishedTerms } from "../terms.ts";
import type { ViewRequest } from "./view.ts";
import { count } from "../format.ts";

type Course = ResponseBody<"Course">;

const units = ({ minUnits, maxUnits }: Course) =>
  `${minUnits === maxUnits ? minUnits : `${minUnits}–${maxUnits}`} ${maxUnits === 1 ? "unit" : "units"}`;

/** `I&C SCI 31, I&C SCI 33`, each a link; an exam (`AP BIOLOGY`) stays text. */
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

function GradesByInstructor({ rows }: { rows: readonly GradeRow[] }) {
  const groups = [...groupBy(rows, ({ instructors }) => instructors)].sort(([, a], [, b]) => b.length - a.length);
  if (groups.length === 0) return null;
  return (
    <div>
      <ShowMore of={groups} limit={8}>
        {(shown) => (
          <DataTable
            caption="By instructor"
            headers={["Instructor", "Sections", "Average"]}
            rows={shown.map(([name, own]) => [name, count(own.length), meanText(own)])}
            isNumber={(column) => column > 0}
          />
        )}
      </ShowMore>
    </div>
  );
}

export async function courseView({ id, term, section, onTermChange, signal }: ViewRequest) {
  const address = addressOf(`/courses/${encodeURIComponent(id)}`);
  const course = await fetchJson<Course>(address, signal);
  const { department, courseNumber } = course;
  const key = { department, courseNumber };
  const request = { filter: key, history: key };
  const gradesAddress = addressOf("/grades/raw", key);
  const terms = publishedTerms();
  // A course's terms do not include announced ones: try the two newest terms first.
  const tried = [...new Set([...terms.slice(0, 2), ...terms.filter((term) => course.terms.includes(term))])];
  const [grades, first] = await Promise.all([
    fetchJson<GradeRow[]>(gradesAddress, signal),
    fetchFirstTerm(request, tried, term, signal),
  ]);
  return (
    <>
      <h1 tabIndex={-1}>
        <span class="over">
          {department} {courseNumber}
        </span>
        {course.title}
      </h1>
      <p class="quiet">{[course.departmentName, course.courseLevel, units(course)].filter(Boolean).join(" · ")}</p>
      <p class="text">{course.description}</p>
      <Facts course={course} />
      <JsonLink name="this course" address={address} />
      <h2>Grades over the years</h2>
      <GradeCharts rows={grades} address={gradesAddress} />
      <GradesByInstructor rows={grades} />
      <JsonLink name="these grades" address={gradesAddress} />
      <h2>Sections</h2>
      <TermPart request={request} first={first} chosen={section} onTermChange={onTermChange} />
    </>
  );
}
