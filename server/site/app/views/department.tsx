/** The page of a department: a sortable table of courses with grades and usual terms, and its people. */
import { useContext } from "preact/hooks";
import { DIVISIONS, isOfDivision } from "../data/divisions.ts";
import { addressOf, courseAddress, findAddress, instructorAddress, viewAddress } from "../data/addresses.ts";
import { useAddressState } from "../data/address-state.ts";
import { gradeSums, LEAST_STUDENTS, letterCount } from "../charts/grade-sums.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { publishedTerms, SiteContext, useTerm } from "../data/terms.ts";
import { termTitle } from "../data/term-names.ts";
import { useJson } from "../data/use-json.ts";
import { type Season, SEASONS, usualQuarters } from "../data/usual-quarters.ts";
import { count, plural } from "../format.ts";
import { courseOf, scheduleAddresses, sectionsIn } from "../data/sections.ts";
import { CourseLink, SourceMenu } from "../parts/links.tsx";
import { Meant } from "../parts/meant.tsx";
import { OtherGrades } from "../parts/other-grades.tsx";
import { Loaded, LoadingPart, Skeleton } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { SortableTable, type SortableColumn } from "../parts/sortable-table.tsx";

type Courses = ResponseBody<"Courses">;
type Grades = ResponseBody<"CourseGrades">;

interface Line {
  readonly course: Courses[number];
  /** Undefined while they are loaded, and without any. */
  readonly grades: Grades[number] | undefined;
  readonly usual: readonly Season[];
}

export function DepartmentView({ code }: { code: string }) {
  const coursesAddress = addressOf("/courses", { department: code });
  const gradesAddress = addressOf("/grades/aggregateByCourse", { department: code });
  const loading = useJson<[Courses]>([coursesAddress]);
  const grades = useJson<[Grades]>([gradesAddress]);
  const term = useTerm();
  // Grades that come later would move the rows, and all that is below.
  const isWaiting = grades.isLoading && grades.value === undefined;
  return (
    <>
      {loading.problem !== undefined && <PageTitle title={code}>{code}</PageTitle>}
      <LoadingPart
        loading={loading}
        lines={12}
        of={([courses]) => (
          <>
            <PageTitle title={`${code} courses`} over={code}>
              {courses[0]?.departmentName || code}
            </PageTitle>
            <p>
              {term !== "" && (
                <a href={findAddress({ department: code, term })}>
                  {code} sections in {termTitle(term)}
                </a>
              )}
            </p>
            {courses.length === 0 ? (
              <>
                <p>
                  No courses found for department “{code}”. <a href={viewAddress("/")}>All departments</a>
                </p>
                <Meant text={code} kind="department" />
              </>
            ) : isWaiting ? (
              <Skeleton lines={30} />
            ) : (
              <CourseTable courses={courses} grades={grades.value?.[0] ?? []} />
            )}
            {!isWaiting && (
              <>
                {term !== "" && <OnlyScheduled code={code} term={term} catalogue={courses} />}
                {grades.problem !== undefined && <LoadingPart loading={grades} of={() => undefined} />}
                <div class="row">
                  <SourceMenu name="courses" address={coursesAddress} />
                  <SourceMenu name="grades" address={gradesAddress} />
                </div>
                <People code={code} />
              </>
            )}
          </>
        )}
      />
    </>
  );
}

interface OnlyScheduledProps {
  readonly code: string;
  readonly term: string;
  readonly catalogue: Courses;
}

/** Courses of the term that the catalogue does not have: their pages have what the schedule says. */
function OnlyScheduled({ code, term, catalogue }: OnlyScheduledProps) {
  const catalogued = new Set(catalogue.map(({ courseNumber }) => courseNumber));
  return (
    <Loaded<[ResponseBody<"Schedule">]> addresses={scheduleAddresses(term, { department: code }).slice(0, 1)} lines={1}>
      {(schedule) => {
        const others = new Map(
          sectionsIn(schedule)
            .filter(({ courseNumber }) => !catalogued.has(courseNumber))
            .map((section) => [courseOf(section), section.courseTitle]),
        );
        return (
          others.size > 0 && (
            <>
              <h2>Not in the catalogue</h2>
              <p class="quiet">In the schedule of {termTitle(term)}.</p>
              <ul class="columns">
                {[...others].map(([name, title]) => (
                  <li key={name}>
                    <CourseLink name={name} /> <span class="quiet">{title}</span>
                  </li>
                ))}
              </ul>
            </>
          )
        );
      }}
    </Loaded>
  );
}

/** `4`, or `1–4`. */
const unitsText = ({ minUnits, maxUnits }: Courses[number]) =>
  minUnits === maxUnits ? String(minUnits) : `${minUnits}–${maxUnits}`;

const studentsIn = (row: Grades[number]) => letterCount(gradeSums([row]));

/** An average over few students says little. */
const average = ({ grades }: Line) =>
  grades && studentsIn(grades) >= LEAST_STUDENTS && grades.averageGPA > 0 ? grades.averageGPA : undefined;

const usualText = ({ usual, course: { terms } }: Line) => {
  if (usual.length > 0) return usual.join(", ");
  return <span class="quiet">{terms[0] === undefined ? "never" : `last ${termTitle(terms[0])}`}</span>;
};

const COLUMNS: readonly SortableColumn<Line>[] = [
  {
    id: "course",
    head: "Course",
    value: ({ course }) => `${course.courseNumeric} ${course.courseNumber}`,
    cell: ({ course }) => (
      <a href={courseAddress(course.id)}>
        {course.department} {course.courseNumber}
      </a>
    ),
  },
  { id: "title", head: "Title", value: ({ course }) => course.title },
  {
    id: "units",
    head: "Units",
    value: ({ course }) => course.maxUnits,
    cell: ({ course }) => unitsText(course),
    isNumber: true,
  },
  { id: "average", head: "Average", value: average, cell: (line) => average(line)?.toFixed(2) ?? "–", isNumber: true },
  {
    id: "students",
    head: "Letter grades",
    value: ({ grades }) => grades && studentsIn(grades),
    cell: ({ grades }) =>
      grades ? (
        <>
          {count(studentsIn(grades))}
          <OtherGrades sums={gradeSums([grades])} />
        </>
      ) : (
        "–"
      ),
    isNumber: true,
  },
  { id: "terms", head: "Usually in", value: ({ usual }) => usual.join(" ") || undefined, cell: usualText },
];

function CourseTable({ courses, grades }: { courses: Courses; grades: Grades }) {
  const [query, change] = useAddressState();
  const published = publishedTerms(useContext(SiteContext));
  const gradesOf = new Map(grades.map((row) => [row.courseNumber, row]));
  const division = DIVISIONS.find(({ id }) => id === query["division"]);
  const { units = "", quarter = "", sort = "course" } = query;
  const lines = courses
    .map((course): Line => ({
      course,
      grades: gradesOf.get(course.courseNumber),
      usual: usualQuarters(course.terms, published),
    }))
    .filter(
      ({ course, usual }) =>
        (units === "" || unitsText(course) === units) &&
        (!division || isOfDivision(course.courseNumeric, division)) &&
        (quarter === "" || usual.some((season) => season === quarter)),
    );
  const allUnits = [...new Set(courses.map(unitsText))].sort((a, b) => parseFloat(a) - parseFloat(b));
  const kind = [units && `${units}-unit`, division?.words, "course"].filter(Boolean).join(" ");
  const caption = `${plural(lines.length, kind)}${quarter && `, usually in ${quarter}`}`;
  const choices = [
    ["units", "Units", units, allUnits.map((text) => [text, text])],
    ["division", "Division", query["division"] ?? "", DIVISIONS.map(({ id, words }) => [id, words])],
    ["quarter", "Usually in", quarter, SEASONS.map((season) => [season, season])],
  ] as const;
  return (
    <>
      <form class="choices" onSubmit={(event) => event.preventDefault()}>
        {choices.map(([name, label, chosen, options]) => (
          <label>
            {label}{" "}
            <select
              name={name}
              value={chosen}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
            >
              <option value="">any</option>
              {options.map(([value, words]) => (
                <option value={value}>{words}</option>
              ))}
            </select>
          </label>
        ))}
      </form>
      {lines.length === 0 ? (
        <p role="status">
          No matching courses.{" "}
          <button
            type="button"
            class="small"
            onClick={() => change({ units: undefined, division: undefined, quarter: undefined })}
          >
            Show all {count(courses.length)}
          </button>
        </p>
      ) : (
        <SortableTable
          caption={caption}
          columns={COLUMNS}
          rows={lines}
          sort={sort}
          onSort={(next) => change({ sort: next })}
        />
      )}
      <p class="quiet">
        Averages are means of section averages over letter grades; courses with fewer than {LEAST_STUDENTS} letter
        grades show none. “Usually” means in at least half of the last four years.
      </p>
    </>
  );
}

const People = ({ code }: { code: string }) => (
  <Loaded<[ResponseBody<"Instructors">]> addresses={[addressOf("/instructors", { relatedDepartmentsContains: code })]}>
    {(people) =>
      people.length > 0 && (
        <>
          <h2>People</h2>
          <ShowMore name="people" of={people} limit={24}>
            {(shown) => (
              <ul class="columns">
                {shown.map(({ netid, name }) => (
                  <li>
                    <a href={instructorAddress(netid)}>{name}</a>
                  </li>
                ))}
              </ul>
            )}
          </ShowMore>
        </>
      )
    }
  </Loaded>
);
