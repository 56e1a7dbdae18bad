/** The head of a course: name, facts, description, and the numbers that are looked up most. */
import type { ComponentChildren } from "preact";
import { useContext, useState } from "preact/hooks";
import { meanOf, otherGradesText, type GradeRow } from "../charts/grade-sums.ts";
import { departmentAddress } from "../data/addresses.ts";
import { publishedTerms, SiteContext } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import type { Loading } from "../data/use-json.ts";
import { usualQuarters } from "../data/usual-quarters.ts";
import { count, plural, share } from "../format.ts";
import { PageTitle } from "../parts/page-title.tsx";
import type { Course } from "./course-node.tsx";
import { type FillCurve, weekText } from "./fill-curves.ts";
import { summaryOf } from "./person-grades.ts";

const unitsOf = ({ minUnits, maxUnits }: Course): string =>
  `${minUnits === maxUnits ? minUnits : `${minUnits}–${maxUnits}`} ${maxUnits === 1 ? "unit" : "units"}`;

const LONG = 240;
/** Slower than this, the day counts and not how long it took. */
const FAST_DAYS = 28;

function Description({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const isLong = text.length > LONG;
  if (text === "") return null;
  return (
    <p class="text">
      {isOpen || !isLong ? text : `${text.slice(0, text.lastIndexOf(" ", LONG))} … `}
      {isLong && (
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? " less" : "more"}
        </button>
      )}
    </p>
  );
}

interface HeadProps {
  readonly course: Course;
  readonly isInCatalogue: boolean;
  readonly children: ComponentChildren;
}

export const Head = ({ course, isInCatalogue, children }: HeadProps) => (
  <>
    <PageTitle
      title={`${course.department} ${course.courseNumber} · ${course.title}`}
      over={`${course.department} ${course.courseNumber}`}
    >
      {course.title}
    </PageTitle>
    <p class="facts">
      {[
        isInCatalogue ? unitsOf(course) : "Not in the catalogue",
        // Without the numbers: `Upper Division (100-199)`.
        course.courseLevel.replace(/ \(.*/, "").replace(" D", " d"),
        <a href={departmentAddress(course.department)}>{course.departmentName || course.department}</a>,
        course.school,
        course.geList.join(", "),
      ]
        .filter(Boolean)
        .map((fact, i) => (
          <>
            {i > 0 && " · "}
            <bdi>{fact}</bdi>
          </>
        ))}
    </p>
    {children}
    <Description text={course.description} />
  </>
);

const Hero = ({ value, children }: { value: ComponentChildren; children: ComponentChildren }) => (
  <div>
    <dd>{value}</dd>
    <dt>{children}</dt>
  </div>
);

/** The newest term whose seats were all taken, else the newest that has begun. */
function FillHero({ curves }: { curves: readonly FillCurve[] }) {
  const curve = curves.find(({ full }) => full) ?? curves.find(({ days }) => (days.at(-1)?.week ?? -1) >= 0);
  if (!curve) return null;
  const { full, daysToFill, days } = curve;
  const term = termTitle(curve.term);
  const last = days.at(-1) ?? days[0];
  if (!full) return <Hero value={share(last.taken, last.seats)}>of seats taken in {term}</Hero>;
  if (daysToFill !== undefined && daysToFill <= FAST_DAYS)
    return <Hero value={plural(daysToFill, "day")}>to fill in {term}</Hero>;
  if (full.week === 0) return <Hero value="First day">of instruction, {term} was full</Hero>;
  // `6 weeks` and `before instruction`.
  const [, number, when] = /^(\d+ \w+) (.*)$/.exec(weekText(full.week)) ?? [];
  return (
    <Hero value={number}>
      {when}, {term} was full
    </Hero>
  );
}

interface HeroesProps {
  readonly course: Course;
  readonly grades: Loading<[readonly GradeRow[]]>;
  readonly curves: readonly FillCurve[];
}

/** How fast the course fills comes last, when the history is there. */
export function Heroes({ course, grades, curves }: HeroesProps) {
  const site = useContext(SiteContext);
  // Numbers that came before others would move.
  if (grades.isLoading && grades.value === undefined) return <dl class="heroes" />;
  const rows = grades.value?.[0] ?? [];
  const { shareOfA, students, sums } = summaryOf(rows);
  const mean = meanOf(rows);
  const years = rows.map(({ year }) => year).toSorted();
  const usual = usualQuarters(course.terms, publishedTerms(site));
  const [last] = course.terms;
  return (
    <dl class="heroes">
      {mean !== undefined && <Hero value={mean.toFixed(2)}>average grade</Hero>}
      {shareOfA !== undefined && <Hero value={`${Math.round(100 * shareOfA)}%`}>of letter grades are A</Hero>}
      {students > 0 && (
        <Hero value={count(students)}>
          letter grades since {years[0]}
          {otherGradesText(sums) !== "" && ` (+ ${otherGradesText(sums)})`}
        </Hero>
      )}
      <Hero value={<span class="words">{usual.join(", ") || (last ? termTitle(last) : "never")}</span>}>
        {usual.length > 0
          ? "usually offered"
          : last
            ? "last taught (not offered regularly)"
            : "taught in a published term"}
      </Hero>
      <FillHero curves={curves} />
    </dl>
  );
}
