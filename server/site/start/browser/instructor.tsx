/** One person: what they taught, how it was graded, and this term's sections. */
import { addressOf, type Answer, ask } from "./ask.ts";
import { FirstFew } from "./first-few.tsx";
import { GradeCharts } from "./grade-charts.tsx";
import type { GradeRow } from "./grade-sums.ts";
import { JsonLink } from "./json-link.tsx";
import { CourseLink } from "./places.tsx";
import { fetchFirstTerm, TermPart } from "./term-part.tsx";
import { publishedTerms } from "./terms.ts";
import type { ViewRequest } from "./view.ts";
import { plural } from "./words.ts";

type Instructor = Answer<"Instructor">;

function Taught({ courseHistory }: Instructor) {
  const courses = Object.entries(courseHistory).sort(([, a], [, b]) => b.length - a.length);
  if (courses.length === 0) return <p class="quiet">Nothing is known of what this person taught.</p>;
  return (
    <FirstFew of={courses} most={16}>
      {(shown) => (
        <ul class="chips">
          {shown.map(([name, terms]) => (
            <li>
              <CourseLink name={name} /> <span class="quiet">{plural(terms.length, "term")}</span>
            </li>
          ))}
        </ul>
      )}
    </FirstFew>
  );
}

export async function instructorView({ id, asked, remember, signal }: ViewRequest) {
  const address = addressOf(`/instructors/${encodeURIComponent(id)}`);
  const person = await ask<Instructor>(address, signal);
  const gradesAddress = addressOf("/grades/raw", { instructor: person.shortenedName });
  const [last = "", initial = ""] = person.shortenedName.split(", ");
  const wish = { filter: { instructorName: initial === "" ? `${last},` : person.shortenedName } };
  const [grades, first] = await Promise.all([
    ask<GradeRow[]>(gradesAddress, signal),
    fetchFirstTerm(wish, publishedTerms(), asked, signal),
  ]);
  return (
    <>
      <h2 tabIndex={-1}>{person.name}</h2>
      <p class="quiet">{[person.title, person.department].filter(Boolean).join(" · ")}</p>
      {person.email !== "" && (
        <p>
          <a href={`mailto:${person.email}`}>{person.email}</a>
        </p>
      )}
      <JsonLink name="this person" address={address} />
      <h3>Taught</h3>
      <Taught {...person} />
      <h3>Grades over the years</h3>
      <p class="quiet">
        Grades and sections know people as “{person.shortenedName}” only: namesakes are counted together.
      </p>
      <GradeCharts rows={grades} />
      <JsonLink name="these grades" address={gradesAddress} />
      <h3>Sections</h3>
      <TermPart wish={wish} first={first} remember={remember} withCourse />
    </>
  );
}
