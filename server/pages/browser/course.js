/** One course: what it is, how it was graded, its sections and how they fill. */
import { addressOf, ask } from "./ask.js";
import { h } from "./element.js";
import { gradeCharts, gradeTable, groupBy } from "./grades.js";
import { jsonLinks } from "./json-links.js";
import { publishedTerms, termPart } from "./term-part.js";

const units = ({ minUnits, maxUnits }) =>
  `${minUnits === maxUnits ? minUnits : `${minUnits}–${maxUnits}`} ${maxUnits === 1 ? "unit" : "units"}`;

const courseLink = (name) => h("a", { href: `#course/${encodeURIComponent(name.replaceAll(" ", ""))}` }, name);

/** `I&C SCI 31, I&C SCI 33`, each a link; what is no course of ours (`AP BIOLOGY`) leads to words. */
const courseLinks = (names) => names.map((name, i) => [i > 0 && ", ", /\d/.test(name) ? courseLink(name) : name]);

function facts(course) {
  const lines = [
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
  ].filter(([, value]) => value);
  return h(
    "dl",
    null,
    lines.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
  );
}

/** The parts of a course's view, in order. `asked`: { term, section } of the address. */
export async function courseView(id, asked, remember, signal) {
  const address = addressOf(`/courses/${encodeURIComponent(id)}`);
  const course = await ask(address, signal);
  const key = { department: course.department, courseNumber: course.courseNumber };
  const gradesAt = addressOf("/grades/raw", key);
  const terms = publishedTerms();
  const own = terms.filter((term) => course.terms.includes(term));
  // A term that has not begun is not among the course's terms yet: the newest ones are tried as well.
  const tried = [...new Set([...terms.slice(0, 2), ...own])];
  const [grades, term] = await Promise.all([
    ask(gradesAt, signal),
    termPart({ filter: key, history: key, terms: tried, asked, remember, signal }),
  ]);
  const byInstructor = [...groupBy(grades, ({ instructors }) => instructors)].map(([name, rows]) => ({ name, rows }));
  return [
    h(
      "h2",
      { tabindex: -1 },
      h("span", { class: "over" }, `${course.department} ${course.courseNumber}`),
      course.title,
    ),
    h("p", { class: "quiet" }, [course.departmentName, course.courseLevel, units(course)].filter(Boolean).join(" · ")),
    h("p", { class: "text" }, course.description),
    facts(course),
    jsonLinks([["this course", address]]),
    h("h3", null, "Grades over the years"),
    gradeCharts(grades),
    byInstructor.length > 0 && gradeTable("By instructor", "Instructor", byInstructor),
    jsonLinks([["these grades", gradesAt]]),
    h("h3", null, "Sections"),
    term,
  ];
}
