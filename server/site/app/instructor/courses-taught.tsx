/** The courses of one person, each with its grades beside those of the course. */
import { type GradeRow, gradeSums, groupBy, LEAST_STUDENTS, letterCount, TOO_FEW } from "../charts/grade-sums.ts";
import { Distribution, GradeKey } from "../course/distribution.tsx";
import { type GradeSummary, summaryOf } from "../course/person-grades.ts";
import { Sparkline } from "../course/sparkline.tsx";
import { addressOf } from "../data/addresses.ts";
import { useAddressState } from "../data/address-state.ts";
import { useRemembered } from "../data/remembered.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { termTitle } from "../data/term-names.ts";
import { termOrder } from "../data/term-order.ts";
import { useJson } from "../data/use-json.ts";
import { count, plural } from "../format.ts";
import { CourseLink } from "../parts/links.tsx";
import { OtherGrades } from "../parts/other-grades.tsx";
import { SortableTable, type SortableColumn } from "../parts/sortable-table.tsx";

type Averages = ResponseBody<"CourseGrades">;

interface Line {
  readonly name: string;
  /** Newest first, as in `courseHistory`. */
  readonly terms: readonly string[];
  readonly grades: GradeSummary;
  readonly rows: readonly GradeRow[];
  readonly ofCourse: number | undefined;
}

const studentsIn = (row: Averages[number]) => letterCount(gradeSums([row]));
const isShown = ({ grades }: Line) => grades.students >= LEAST_STUDENTS;
const averageOf = (line: Line) => (isShown(line) ? line.grades.mean : undefined);

const COLUMNS: readonly SortableColumn<Line>[] = [
  { id: "course", head: "Course", value: ({ name }) => name, cell: ({ name }) => <CourseLink name={name} /> },
  { id: "taught", head: "Terms taught", value: ({ terms }) => terms.length, isNumber: true },
  {
    id: "last",
    head: "Last",
    value: ({ terms }) => (terms[0] === undefined ? undefined : termOrder(terms[0])),
    cell: ({ terms }) => (terms[0] === undefined ? "–" : termTitle(terms[0])),
  },
  {
    id: "students",
    head: "Letter grades",
    value: ({ grades }) => grades.students,
    cell: ({ grades: { students, sums } }) => (
      <>
        {count(students)}
        <OtherGrades sums={sums} />
      </>
    ),
    isNumber: true,
  },
  {
    id: "average",
    head: "Average",
    value: averageOf,
    cell: (line) => averageOf(line)?.toFixed(2) ?? "–",
    isNumber: true,
  },
  {
    id: "course-average",
    head: "Course average",
    value: ({ ofCourse }) => ofCourse,
    cell: ({ ofCourse }) => ofCourse?.toFixed(2) ?? "–",
    isNumber: true,
  },
  {
    id: "grades",
    head: "Grades",
    value: (line) => (isShown(line) ? line.grades.shareOfA : undefined),
    cell: (line) => {
      if (isShown(line)) return <Distribution of={line.grades} most={0} inCounts={false} />;
      return <span class="quiet">{line.grades.total === 0 ? "no grades" : TOO_FEW}</span>;
    },
  },
  {
    id: "trend",
    head: "Trend",
    cell: (line) => (isShown(line) ? <Sparkline rows={line.rows} /> : ""),
  },
];

/** The courses that are shown at first. */
const MAX_ROWS = 8;

interface CoursesTaughtProps {
  /** Course name → terms. */
  readonly history: Readonly<Record<string, readonly string[]>>;
  readonly grades: readonly GradeRow[];
}

export function CoursesTaught({ history, grades }: CoursesTaughtProps) {
  const [{ sort = "-last" }, change] = useAddressState();
  const [showsAll, setShowsAll] = useRemembered<boolean>("courses taught", false);
  const rowsOf = groupBy(grades, ({ department, courseNumber }) => [`${department} ${courseNumber}`]);
  const names = [...new Set([...Object.keys(history), ...rowsOf.keys()])];
  const departments = [...new Set(names.map((name) => name.slice(0, name.lastIndexOf(" "))))].sort();
  const averages = useJson<readonly Averages[]>(
    departments.map((department) => addressOf("/grades/aggregateByCourse", { department })),
  );
  const ofCourses = new Map(averages.value?.flat().map((row) => [`${row.department} ${row.courseNumber}`, row]) ?? []);
  const lines = names.map((name): Line => {
    const rows = rowsOf.get(name) ?? [];
    const graded = rows.map(({ year, quarter }) => `${year} ${quarter}`);
    const terms = [...new Set([...(history[name] ?? []), ...graded])].sort((a, b) => termOrder(b) - termOrder(a));
    const course = ofCourses.get(name);
    return {
      name,
      terms,
      grades: summaryOf(rows),
      rows,
      ofCourse: course && studentsIn(course) >= LEAST_STUDENTS ? course.averageGPA : undefined,
    };
  });
  if (lines.length === 0) return <p>No courses on record.</p>;
  return (
    <>
      <SortableTable
        caption={`${plural(lines.length, "course")}, ${plural(grades.length, "section")} with grades`}
        columns={COLUMNS}
        rows={lines}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        {...(showsAll ? {} : { limit: MAX_ROWS })}
      />
      {!showsAll && lines.length > MAX_ROWS && (
        <button type="button" class="small" onClick={() => setShowsAll(true)}>
          Show {plural(lines.length - MAX_ROWS, "more", "more")}
        </button>
      )}
      <p class="quiet">
        <GradeKey sums={summaryOf(grades).sums} /> Averages are means of section averages over letter grades. The course
        average includes everyone who taught it.
      </p>
    </>
  );
}
