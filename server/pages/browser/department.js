/** One department: its courses with their averages, and its grades over the years. */
import { addressOf, ask } from "./ask.js";
import { h } from "./element.js";
import { gradeCharts, groupBy, meanOf } from "./grades.js";
import { jsonLinks } from "./json-links.js";
import { plural } from "./words.js";

export async function departmentView(code, _asked, _remember, signal) {
  const [coursesAt, gradesAt] = [
    addressOf("/courses", { department: code }),
    addressOf("/grades/raw", { department: code }),
  ];
  const [courses, grades] = await Promise.all([ask(coursesAt, signal), ask(gradesAt, signal)]);
  const rowsOf = groupBy(grades, ({ courseNumber }) => courseNumber);
  const inOrder = courses.toSorted(
    (a, b) => a.courseNumeric - b.courseNumeric || (a.courseNumber < b.courseNumber ? -1 : 1),
  );
  const line = ({ id, courseNumber, title }) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, h("a", { href: `#course/${encodeURIComponent(id)}` }, `${code} ${courseNumber}`)),
      h("td", null, title),
      h("td", { class: "number" }, meanOf(rowsOf.get(courseNumber) ?? [])?.toFixed(2) ?? "–"),
    );
  return [
    h("h2", { tabindex: -1 }, h("span", { class: "over" }, code), courses[0]?.departmentName || code),
    h("h3", null, "Grades over the years"),
    gradeCharts(grades),
    jsonLinks([["these grades", gradesAt]]),
    h("h3", null, "Courses"),
    courses.length === 0
      ? h("p", { class: "quiet" }, "The catalogue has no courses of this department.")
      : h(
          "table",
          { class: "plain" },
          h("caption", null, plural(courses.length, "course")),
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["Course", "Title", "Average"].map((head, i) =>
                h("th", { scope: "col", class: i === 2 && "number" }, head),
              ),
            ),
          ),
          h("tbody", null, inOrder.map(line)),
        ),
    jsonLinks([["these courses", coursesAt]]),
  ];
}
