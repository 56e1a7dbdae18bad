/** Who teaches a course, and how they graded: one row a person, all on one scale, sortable. */
import { type GradeRow, LEAST_STUDENTS } from "../charts/grade-sums.ts";
import { useAddressState } from "../data/address-state.ts";
import { plural } from "../format.ts";
import { Instructors } from "../parts/people.tsx";
import { Switch } from "../parts/switch.tsx";
import type { Ahead } from "./ahead.ts";
import { Distribution, GradeKey, Scale } from "./distribution.tsx";
import { byPerson, inYears, summaryOf } from "./person-grades.ts";
import { COLUMNS, Numbers, type Person, PersonRows } from "./person-rows.tsx";
import { Sparkline } from "./sparkline.tsx";

interface GradersProps {
  /** `COMPSCI 161`. */
  readonly course: string;
  readonly rows: readonly GradeRow[];
  /** Terms ahead with the names of their sections, soonest first. */
  readonly ahead: readonly Ahead[];
}

/** Without a choice: who teaches it next, then who had most students. A minus turns the order around. */
function sorted(people: readonly Person[], sort: string): Person[] {
  const [, isTurned, key] = /^(-?)(\w*)$/.exec(sort) ?? [];
  const turn = isTurned ? -1 : 1;
  const column = COLUMNS.find((one) => one.key === key);
  if (column) return people.toSorted((a, b) => turn * ((column.rank(b) as number) - (column.rank(a) as number)));
  if (key === "name") return people.toSorted((a, b) => turn * a.name.localeCompare(b.name));
  return people.toSorted((a, b) => b.next.length - a.next.length || b.students - a.students);
}

/** Those who graded in the chosen years, and those who teach the course next. */
function peopleOf({ rows, ahead }: Pick<GradersProps, "rows" | "ahead">): Person[] {
  const next = (name: string) => ahead.filter(({ names }) => names.includes(name)).map(({ term }) => term);
  const graded = byPerson(rows).map((person) => ({ ...person, next: next(person.name) }));
  const known = new Set(graded.map(({ name }) => name));
  const fresh = [...new Set(ahead.flatMap(({ names }) => names))].filter((name) => !known.has(name));
  return [...graded, ...fresh.map((name) => ({ name, rows: [], ...summaryOf([]), next: next(name) }))];
}

function SortHead({ name, head }: { name: string; head: string }) {
  const [{ sort = "" }, change] = useAddressState();
  const isFirst = sort === name;
  const direction = name === "name" ? ["ascending", "descending"] : ["descending", "ascending"];
  const sortedBy = isFirst ? direction[0] : sort === `-${name}` ? direction[1] : undefined;
  return (
    <th
      role="columnheader"
      scope="col"
      class={name === "name" ? undefined : "number"}
      aria-sort={sortedBy as "ascending" | undefined}
    >
      <button type="button" class="sort" onClick={() => change({ sort: isFirst ? `-${name}` : name })}>
        {head}
        <span aria-hidden="true">{sortedBy === undefined ? "" : sortedBy === "ascending" ? " ↑" : " ↓"}</span>
      </button>
    </th>
  );
}

export function Graders({ course, rows, ahead }: GradersProps) {
  const [{ years = "", sort = "", show, few: shows }, change] = useAddressState();
  const all = inYears(rows, years);
  const people = sorted(peopleOf({ rows: all, ahead }), sort);
  const isRow = (person: Person) => person.students >= LEAST_STUDENTS || person.next.length > 0;
  const [shown, few] = [people.filter(isRow), people.filter((person) => !isRow(person))];
  const whole = summaryOf(all);
  const most = Math.max(1, ...shown.map(({ students }) => students));
  const inCounts = show === "count";
  const known = [...new Set(rows.map(({ year }) => year))].toSorted().toReversed();
  return (
    <>
      <p class="choice">
        <Switch name="show" label="What the bars show" choices={{ "": "Share", count: "Students" }} />{" "}
        <label>
          Years{" "}
          <select value={years} onChange={({ currentTarget }) => change({ years: currentTarget.value })}>
            <option value="">all{known.length > 0 && `, ${known.at(-1)}–${known[0]}`}</option>
            {known.slice(1, -1).map((year) => (
              <option value={`${year}-`}>since {year}</option>
            ))}
            {known.map((year) => (
              <option value={year}>only {year}</option>
            ))}
          </select>
        </label>{" "}
        <GradeKey />
      </p>
      <table role="table" class="graders">
        <caption class="hidden">Grades by instructor</caption>
        <thead role="rowgroup">
          <tr role="row">
            <SortHead name="name" head="Instructor" />
            <th role="columnheader" scope="col" class="bar-cell">
              <Scale most={inCounts ? most : undefined} />
            </th>
            {COLUMNS.map(({ key, head }) => (
              <SortHead name={key} head={head} key={key} />
            ))}
            <th role="columnheader" scope="col">
              Average by year
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((person) => (
            <PersonRows person={person} course={course} most={most} inCounts={inCounts} key={person.name} />
          ))}
          {whole.students > 0 && (
            <tr role="row" class="everyone">
              <th role="rowheader" scope="row">
                Everyone
              </th>
              <td role="cell" class="bar-cell">
                {!inCounts && <Distribution of={whole} most={most} inCounts={false} />}
              </td>
              <Numbers of={whole} />
              <td role="cell" class="trend-cell">
                <Sparkline rows={all} />
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {few.length > 0 && (
        <details
          open={shows === "all"}
          onToggle={({ currentTarget }) => change({ few: currentTarget.open ? "all" : undefined })}
        >
          <summary>
            {plural(few.length, "other", "others")} with fewer than {LEAST_STUDENTS} students: not enough data
          </summary>
          {shows === "all" && (
            <ul class="few">
              {few.map(({ name, students, sections }) => (
                <li key={name}>
                  <Instructors names={[name]} course={course} />
                  <span class="quiet">
                    {plural(students, "student")} in {plural(sections, "section")}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
      <p class="quiet text">
        Average is the mean of the sections’ averages. Spread is the standard deviation of the letter grades (A is 4, F
        is 0), and the grades between which the middle half of the students is. A section that two people taught counts
        for both.
      </p>
    </>
  );
}
