/** Lists what stands between a plan and enrolling: sections to choose, closed seats, prerequisites. */
import { useState } from "preact/hooks";
import { useIsNew } from "../data/new-student.ts";
import { CourseLink } from "../parts/links.tsx";
import type { PlannedCourse } from "./plan-data.ts";
import { missingPrerequisites } from "./prerequisites.ts";
import { fullName } from "./problems.ts";
import { courseKey, storedTaken, storeTaken, useTaken } from "./taken.ts";
import { obstaclesOf } from "./verdict.ts";

interface ToDoProps {
  readonly term: string;
  readonly courses: readonly PlannedCourse[];
  /** The catalogue's text by course. */
  readonly prerequisites: ReadonlyMap<string, string>;
}

export function ToDo({ term, courses, prerequisites }: ToDoProps) {
  const isNew = useIsNew();
  const taken = useTaken(term);
  const planned = new Set(courses.map(({ name }) => courseKey(name)));
  const held = courses.flatMap(({ chosen }) => chosen.filter(({ isCancelled }) => !isCancelled));
  const choices = courses.flatMap(({ name, incomplete: { missing } }) =>
    missing.map((words) => `${name}: choose ${words}`),
  );
  const obstacles = held.flatMap((section) => {
    const words = obstaclesOf(section, isNew);
    return words.length === 0 ? [] : [`${fullName(section)}: ${words.join(", ")}`];
  });
  const lacking = courses.flatMap(({ name }) => {
    const missing = missingPrerequisites(prerequisites.get(name) ?? "", { taken, planned });
    return missing === undefined ? [] : [{ name, missing }];
  });
  return (
    <>
      {choices.length + obstacles.length > 0 && (
        <ul class="to-do">
          {[...choices, ...obstacles].map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {lacking.length > 0 && (
        <ul class="to-do prerequisites">
          {lacking.map(({ name, missing }) => (
            <li key={name}>
              <CourseLink name={name} /> needs {missing}: not on your earlier plans or courses taken
            </li>
          ))}
        </ul>
      )}
      <Taken />
    </>
  );
}

/** Only this browser has the list. */
function Taken() {
  const [text, setText] = useState(storedTaken);
  return (
    <details class="taken">
      <summary>Courses you have taken</summary>
      <label>
        One per line, or separated by commas. The list stays in this browser.
        <textarea
          rows={4}
          value={text}
          placeholder="I&amp;C SCI 46, MATH 2B"
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            storeTaken(currentTarget.value);
          }}
        />
      </label>
    </details>
  );
}
