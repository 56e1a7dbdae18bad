/** One department: grades, and courses with their averages. */
import { addressOf, type ResponseBody, fetchJson } from "../fetch-json.ts";
import { DataTable } from "../data-table.tsx";
import { GradeCharts } from "../charts/grade-charts.tsx";
import { type GradeRow, groupBy, meanText } from "../charts/grade-sums.ts";
import { JsonLink, CourseLink } from "../links.tsx";
import type { ViewRequest } from "./view.ts";
import { plural } from "../format.ts";

export async function departmentView({ id: department, signal }: ViewRequest) {
  const coursesAddress = addressOf("/courses", { department });
  const gradesAddress = addressOf("/grades/raw", { department });
  const [courses, grades] = await Promise.all([
    fetchJson<ResponseBody<"Courses">>(coursesAddress, signal),
    fetchJson<GradeRow[]>(gradesAddress, signal),
  ]);
  const rowsOf = groupBy(grades, ({ courseNumber }) => [courseNumber]);
  const sorted = courses.toSorted(
    (a, b) => a.courseNumeric - b.courseNumeric || (a.courseNumber < b.courseNumber ? -1 : 1),
  );
  return (
    <>
      <h1 tabIndex={-1}>
        <span class="over">{department}</span>
        {courses[0]?.departmentName || department}
      </h1>
      <h2>Grades over the years</h2>
      <GradeCharts rows={grades} address={gradesAddress} />
      <JsonLink name="these grades" address={gradesAddress} />
      <h2>Courses</h2>
      {courses.length === 0 ? (
        <p class="quiet">The catalogue has no courses of this department.</p>
      ) : (
        <DataTable
          caption={plural(courses.length, "course")}
          headers={["Course", "Title", "Average"]}
          rows={sorted.map(({ courseNumber, title }) => [
            <CourseLink name={`${department} ${courseNumber}`} />,
            title,
            meanText(rowsOf.get(courseNumber) ?? []),
          ])}
          isNumber={(column) => column === 2}
        />
      )}
      <JsonLink name="these courses" address={coursesAddress} />
    </>
  );
}
