/** A person who teaches a course as rows of a table: the distribution, and what it comes to. */
import type { ComponentChildren } from "preact";
import { LEAST_STUDENTS, otherGradesText } from "../charts/grade-sums.ts";
import { useAddressState } from "../data/address-state.ts";
import { termTitle } from "../data/term-names.ts";
import { count } from "../format.ts";
import { OtherGrades } from "../parts/other-grades.tsx";
import { Instructors } from "../parts/people.tsx";
import { Distribution } from "./distribution.tsx";
import { byYear, type GradeSummary, type PersonGrades } from "./person-grades.ts";
import { Sparkline } from "./sparkline.tsx";

/** More would hide each other. */
export const MAX_PINNED = 3;
/** In the address, where names have commas. */
export const namesIn = (text: string): string[] => text.split(";").filter(Boolean);

export interface Person extends PersonGrades {
  /** Teaches the course in the term that is looked at. */
  readonly isNow: boolean;
  /** Terms ahead in which this person teaches the course. */
  readonly next: readonly string[];
}

const fixed = (value: number | undefined, digits = 2) => value?.toFixed(digits) ?? "–";
const percent = (value: number | undefined) => (value === undefined ? "–" : `${Math.round(100 * value)}%`);

interface Column {
  /** In the address. */
  readonly key: string;
  readonly head: string;
  readonly cell: (of: GradeSummary) => ComponentChildren;
  readonly rank: (person: Person) => number | string;
}

export const COLUMNS: readonly Column[] = [
  { key: "average", head: "Average", cell: ({ mean }) => fixed(mean), rank: ({ mean }) => mean ?? -1 },
  { key: "a", head: "Share of A", cell: ({ shareOfA }) => percent(shareOfA), rank: ({ shareOfA }) => shareOfA ?? -1 },
  {
    key: "spread",
    head: "Spread",
    cell: ({ deviation, middleHalf }) => (
      <>
        ±{fixed(deviation)}
        {middleHalf && (
          <span class="quiet">
            {" "}
            middle half {middleHalf[0] === middleHalf[1] ? middleHalf[0] : middleHalf.join("–")}
          </span>
        )}
      </>
    ),
    rank: ({ deviation }) => deviation ?? -1,
  },
  {
    key: "students",
    head: "Letter grades",
    cell: ({ students, sums }) => (
      <>
        {count(students)}
        <OtherGrades sums={sums} />
      </>
    ),
    rank: ({ students }) => students,
  },
  { key: "sections", head: "Sections", cell: ({ sections }) => count(sections), rank: ({ sections }) => sections },
];

export const Numbers = ({ of }: { of: GradeSummary }) => (
  <>
    {COLUMNS.map(({ key, head, cell }) => (
      <td role="cell" class="number" key={key} data-label={head}>
        {cell(of)}
      </td>
    ))}
  </>
);

/** `teaches it in Fall 2026`, `next: Winter 2027`. */
function Teaches({ person: { isNow, next }, term }: { person: Person; term: string }) {
  const ahead = next.filter((other) => other !== term);
  return (
    <>
      {isNow && <span class="next">teaches it in {termTitle(term)}</span>}
      {ahead.length > 0 && <span class="next">next: {ahead.map(termTitle).join(", ")}</span>}
    </>
  );
}

const TooFew = ({ students, total, sums }: GradeSummary) => (
  <td role="cell" colSpan={COLUMNS.length + 2} class="quiet">
    {total === 0
      ? "No grades for this course yet."
      : `Not enough letter grades: ${[count(students), otherGradesText(sums)].filter(Boolean).join(" + ")}.`}
  </td>
);

interface PersonRowsProps {
  readonly person: Person;
  /** `COMPSCI 161`. */
  readonly course: string;
  /** That is looked at. */
  readonly term: string;
  /** The grades of the longest bar. */
  readonly most: number;
  readonly inCounts: boolean;
}

/** A person, and below it on demand each year. */
export function PersonRows({ person, course, term, most, inCounts }: PersonRowsProps) {
  const [{ "by-year": open = "", pinned = "" }, change] = useAddressState();
  const names = namesIn(open);
  const pins = namesIn(pinned);
  const isPinned = pins.includes(person.name);
  const pin = () => {
    const others = pins.filter((name) => name !== person.name);
    change({ pinned: (isPinned ? others : [...others, person.name].slice(-MAX_PINNED)).join(";") });
  };
  const isShown = names.includes(person.name);
  const toggle = () => {
    const next = isShown ? names.filter((name) => name !== person.name) : [...names, person.name];
    change({ "by-year": next.join(";") });
  };
  const years = byYear(person.rows);
  const has = person.students >= LEAST_STUDENTS;
  return (
    <>
      <tr role="row" class="person">
        <th role="rowheader" scope="row">
          <Instructors names={[person.name]} ids={[person.ids]} course={course} />
          <Teaches person={person} term={term} />
        </th>
        {has ? (
          <>
            <td role="cell" class="bar-cell">
              <Distribution of={person} most={most} inCounts={inCounts} />
            </td>
            <Numbers of={person} />
            <td role="cell" class="trend-cell">
              <Sparkline rows={person.rows} />
              <button
                type="button"
                class="small"
                aria-pressed={isPinned}
                aria-label={`Compare: ${person.name}`}
                onClick={pin}
              >
                compare
              </button>
              {years.length > 1 && (
                <button
                  type="button"
                  class="small"
                  aria-expanded={isShown}
                  aria-label={`By year: ${person.name}`}
                  onClick={toggle}
                >
                  by year
                </button>
              )}
            </td>
          </>
        ) : (
          <TooFew {...person} />
        )}
      </tr>
      {has &&
        isShown &&
        years.map((year) => (
          <tr role="row" class="year" key={year.year}>
            <th role="rowheader" scope="row">
              {year.year}
            </th>
            {year.students >= LEAST_STUDENTS ? (
              <>
                <td role="cell" class="bar-cell">
                  <Distribution of={year} most={most} inCounts={inCounts} />
                </td>
                <Numbers of={year} />
                <td role="cell" />
              </>
            ) : (
              <TooFew {...year} />
            )}
          </tr>
        ))}
    </>
  );
}
