/** Who teaches a course, and how they graded: one row a person, all on one scale, sortable. */
import { ErrorBoundary, lazy } from "preact-iso";
import { useMemo } from "preact/hooks";
import { type GradeRow, LEAST_STUDENTS, TOO_FEW } from "../charts/grade-sums.ts";
import { useAddressState } from "../data/address-state.ts";
import { useRemembered } from "../data/remembered.ts";
import { plural, spokenName } from "../format.ts";
import { OtherGrades } from "../parts/other-grades.tsx";
import { Instructors } from "../parts/people.tsx";
import { Switch } from "../parts/switch.tsx";
import type { Ahead } from "./ahead.ts";
import { Distribution, GradeKey, Scale } from "./distribution.tsx";
import { byPerson, inYears, summaryOf } from "./person-grades.ts";
import { COLUMNS, MAX_PINNED, namesIn, Numbers, type Person, PersonRows } from "./person-rows.tsx";
import { Sparkline } from "./sparkline.tsx";

/** With the library of charts, when somebody is compared. */
const PinnedChart = lazy(() => import("../charts/pinned-chart.tsx").then((m) => m.PinnedChart));

/** The people that are shown at first. */
const MAX_SHOWN = 6;

interface GradersProps {
  /** `COMPSCI 161`. */
  readonly course: string;
  readonly rows: readonly GradeRow[];
  /** Terms ahead with the names of their sections, soonest first. */
  readonly ahead: readonly Ahead[];
  /** Who teaches the course in the term that is looked at. */
  readonly now: Pick<Ahead, "names" | "ids">;
  readonly term: string;
}

/** Without a choice: who teaches it now, who does next, then who had most students. A minus turns the order around. */
function sorted(people: readonly Person[], sort: string): Person[] {
  const [, isTurned, key] = /^(-?)(\w*)$/.exec(sort) ?? [];
  const turn = isTurned ? -1 : 1;
  const column = COLUMNS.find((candidate) => candidate.key === key);
  if (column) return people.toSorted((a, b) => turn * ((column.rank(b) as number) - (column.rank(a) as number)));
  if (key === "name") return people.toSorted((a, b) => turn * a.name.localeCompare(b.name));
  return people.toSorted(
    (a, b) => Number(b.isNow) - Number(a.isNow) || b.next.length - a.next.length || b.students - a.students,
  );
}

/** Those who graded in the chosen years, and those who teach the course now or next. */
function peopleOf({ rows, ahead, now }: Pick<GradersProps, "rows" | "ahead" | "now">): Person[] {
  const next = (name: string) => ahead.filter(({ names }) => names.includes(name)).map(({ term }) => term);
  const graded = byPerson(rows).map((person) => ({
    ...person,
    isNow: now.names.includes(person.name),
    next: next(person.name),
  }));
  const known = new Set(graded.map(({ name }) => name));
  const teaching = new Map([now, ...ahead].flatMap(({ names, ids }) => names.map((name, i) => [name, ids[i] ?? []])));
  const fresh = [...teaching].filter(([name]) => !known.has(name));
  return [
    ...graded,
    ...fresh.map(([name, ids]) => ({
      ...{ name, ids, rows: [], ...summaryOf([]) },
      ...{ isNow: now.names.includes(name), next: next(name) },
    })),
  ];
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

export function Graders({ course, rows, ahead, now, term }: GradersProps) {
  const [{ years = "", sort = "", show, few: shows, pinned = "" }, change] = useAddressState();
  const all = inYears(rows, years);
  const people = sorted(peopleOf({ rows: all, ahead, now }), sort);
  const isRow = (person: Person) => person.students >= LEAST_STUDENTS || person.isNow || person.next.length > 0;
  const [shown, few] = [people.filter(isRow), people.filter((person) => !isRow(person))];
  const [showsAll, setShowsAll] = useRemembered<boolean>("graders", false);
  const whole = summaryOf(all);
  const compared = useMemo(() => {
    const people = shown
      .filter(({ name, students }) => students > 0 && namesIn(pinned).includes(name))
      .slice(0, MAX_PINNED)
      .map((person) => ({ ...person, name: spokenName(person.name) }));
    // A person alone is compared with all.
    return people.length === 1 ? [...people, { ...whole, name: "Everyone" }] : people;
  }, [pinned, years, rows]);
  const most = Math.max(1, ...shown.map(({ total }) => total));
  const inCounts = show === "count";
  const known = [...new Set(rows.map(({ year }) => year))].toSorted().toReversed();
  return (
    <>
      <p class="choice">
        <Switch name="show" label="What the bars show" choices={{ "": "Share", count: "Count" }} />{" "}
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
        <GradeKey sums={whole.sums} />
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
          {shown.slice(0, showsAll ? undefined : MAX_SHOWN).map((person) => (
            <PersonRows person={person} course={course} term={term} most={most} inCounts={inCounts} key={person.name} />
          ))}
          {whole.total > 0 && (
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
      {!showsAll && shown.length > MAX_SHOWN && (
        <button type="button" class="small" onClick={() => setShowsAll(true)}>
          Show {plural(shown.length - MAX_SHOWN, "more", "more")}
        </button>
      )}
      {compared.length > 0 && (
        <ErrorBoundary>
          <PinnedChart series={compared} />
        </ErrorBoundary>
      )}
      {few.length > 0 && (
        <details
          open={shows === "all"}
          onToggle={({ currentTarget }) => change({ few: currentTarget.open ? "all" : undefined })}
        >
          <summary>
            {plural(few.length, "other", "others")} with {TOO_FEW}
          </summary>
          {shows === "all" && (
            <ul class="few">
              {few.map(({ name, ids, students, sums, sections }) => (
                <li key={name}>
                  <Instructors names={[name]} ids={[ids]} course={course} />
                  <span class="quiet">
                    {plural(students, "letter grade")}
                    <OtherGrades sums={sums} /> in {plural(sections, "section")}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
      <p class="quiet text">
        Averages are means of section averages over letter grades (A = 4, F = 0). Spread is the standard deviation and
        the range of the middle half of students. Co-taught sections count for each instructor.
      </p>
    </>
  );
}
