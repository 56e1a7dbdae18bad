/** One person: courses taught, grades, sections. */
import { addressOf, type ResponseBody, fetchJson } from "../fetch-json.ts";
import { ShowMore } from "../show-more.tsx";
import { GradeCharts } from "../charts/grade-charts.tsx";
import type { GradeRow } from "../charts/grade-sums.ts";
import { JsonLink, CourseLink } from "../links.tsx";
import { fetchFirstTerm, TermPart } from "./term-part.tsx";
import { publishedTerms } from "../terms.ts";
import type { ViewRequest } from "./view.ts";
import { plural } from "../format.ts";

type Instructor = ResponseBody<"Instructor">;

function Taught({ courseHistory }: Instructor) {
  const courses = Object.entries(courseHistory).sort(([, a], [, b]) => b.length - a.length);
  if (courses.length === 0) return <p class="quiet">No courses are recorded for this person.</p>;
  return (
    <ShowMore of={courses} limit={16}>
      {(shown) => (
        <ul class="chips">
          {shown.map(([name, terms]) => (
            <li>
              <CourseLink name={name} /> <span class="quiet">{plural(terms.length, "term")}</span>
            </li>
          ))}
        </ul>
      )}
    </ShowMore>
  );
}

export async function instructorView({ id, term, onTermChange, signal }: ViewRequest) {
  const address = addressOf(`/instructors/${encodeURIComponent(id)}`);
  const person = await fetchJson<Instructor>(address, signal);
  const gradesAddress = addressOf("/grades/raw", { instructor: person.shortenedName });
  const [last = "", initial = ""] = person.shortenedName.split(", ");
  const request = { filter: { instructorName: initial === "" ? `${last},` : person.shortenedName } };
  const [grades, first] = await Promise.all([
    fetchJson<GradeRow[]>(gradesAddress, signal),
    fetchFirstTerm(request, publishedTerms(), term, signal),
  ]);
  return (
    <>
      <h1 tabIndex={-1}>{person.name}</h1>
      <p class="quiet">{[person.title, person.department].filter(Boolean).join(" · ")}</p>
      {person.email !== "" && (
        <p>
          <a href={`mailto:${person.email}`}>{person.email}</a>
        </p>
      )}
      <JsonLink name="this person" address={address} />
      <h2>Courses taught</h2>
      <Taught {...person} />
      <h2>Grades over the years</h2>
      <p class="quiet">
        Grades and sections name people as “{person.shortenedName}” only: people with the same short name are combined.
      </p>
      <GradeCharts rows={grades} address={gradesAddress} />
      <JsonLink name="these grades" address={gradesAddress} />
      <h2>Sections</h2>
      <TermPart request={request} first={first} onTermChange={onTermChange} withCourse />
    </>
  );
}
