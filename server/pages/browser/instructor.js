/** One person: what they taught, how it was graded, and this term's sections. */
import { addressOf, ask } from "./ask.js";
import { h } from "./element.js";
import { gradeCharts } from "./grades.js";
import { jsonLinks } from "./json-links.js";
import { publishedTerms, termPart } from "./term-part.js";
import { plural } from "./words.js";

function taught(history) {
  const courses = Object.entries(history).sort(([, a], [, b]) => b.length - a.length);
  if (courses.length === 0) return h("p", { class: "quiet" }, "Nothing is known of what this person taught.");
  const item = ([name, terms]) =>
    h(
      "li",
      null,
      h("a", { href: `#course/${encodeURIComponent(name.replaceAll(" ", ""))}` }, name),
      h("span", { class: "quiet" }, ` ${plural(terms.length, "term")}`),
    );
  const list = h("ul", { class: "chips" }, courses.slice(0, 16).map(item));
  const more = h("button", { type: "button", class: "small" }, `Show ${plural(courses.length - 16, "more", "more")}`);
  more.addEventListener("click", () => {
    list.append(...courses.slice(16).map(item));
    more.remove();
  });
  return [list, courses.length > 16 && more];
}

export async function instructorView(id, asked, remember, signal) {
  const address = addressOf(`/instructors/${encodeURIComponent(id)}`);
  const person = await ask(address, signal);
  const gradesAt = addressOf("/grades/raw", { instructor: person.shortenedName });
  const [last = "", rest = ""] = person.shortenedName.split(", ");
  const name = rest === "" ? `${last},` : person.shortenedName;
  const [grades, term] = await Promise.all([
    ask(gradesAt, signal),
    termPart({ filter: { instructorName: name }, terms: publishedTerms(), asked, remember, withCourse: true, signal }),
  ]);
  return [
    h("h2", { tabindex: -1 }, person.name),
    h("p", { class: "quiet" }, [person.title, person.department].filter(Boolean).join(" · ")),
    person.email !== "" && h("p", null, h("a", { href: `mailto:${person.email}` }, person.email)),
    jsonLinks([["this person", address]]),
    h("h3", null, "Taught"),
    taught(person.courseHistory),
    h("h3", null, "Grades over the years"),
    h(
      "p",
      { class: "quiet" },
      `Grades and sections know people as “${person.shortenedName}” only: namesakes are counted together.`,
    ),
    gradeCharts(grades),
    jsonLinks([["these grades", gradesAt]]),
    h("h3", null, "Sections"),
    term,
  ];
}
