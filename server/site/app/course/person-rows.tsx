/** A person who teaches a course as rows of a table: the distribution, and what it comes to. */
import type { ComponentChildren } from "preact";
import { LEAST_STUDENTS } from "../charts/grade-sums.ts";
import { useAddressState } from "../data/address-state.ts";
import { termTitle } from "../data/terms.ts";
import { count, plural } from "../format.ts";
import { Instructors } from "../parts/people.tsx";
import { Distribution } from "./distribution.tsx";
import { byYear, type GradeSummary, type PersonGrades } from "./person-grades.ts";
import { Sparkline } from "./sparkline.tsx";

export interface Person extends PersonGrades {
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
  { key: "students", head: "Students", cell: ({ students }) => count(students), rank: ({ students }) => students },
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

const NextTerms = ({ terms }: { terms: readonly string[] }) =>
  terms.length === 0 ? null : <span class="next">next: {terms.map(termTitle).join(", ")}</span>;

const TooFew = ({ students }: { students: number }) => (
  <td role="cell" colSpan={COLUMNS.length + 2} class="quiet">
    {students === 0 ? "Has not graded this course before." : `Not enough data: ${plural(students, "student")}.`}
  </td>
);

interface PersonRowsProps {
  readonly person: Person;
  /** `COMPSCI 161`. */
  readonly course: string;
  /** Students of the longest bar. */
  readonly most: number;
  readonly inCounts: boolean;
}

/** A person, and below it on demand each year. */
export function PersonRows({ person, course, most, inCounts }: PersonRowsProps) {
  const [{ "by-year": open = "" }, change] = useAddressState();
  // Names have commas.
  const names = open.split(";").filter(Boolean);
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
          <Instructors names={[person.name]} course={course} />
          <NextTerms terms={person.next} />
        </th>
        {has ? (
          <>
            <td role="cell" class="bar-cell">
              <Distribution of={person} most={most} inCounts={inCounts} />
            </td>
            <Numbers of={person} />
            <td role="cell" class="trend-cell">
              <Sparkline rows={person.rows} />
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
          <TooFew students={person.students} />
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
              <TooFew students={year.students} />
            )}
          </tr>
        ))}
    </>
  );
}
