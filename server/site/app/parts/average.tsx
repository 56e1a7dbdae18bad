/** The average of the instructors of a section, else that of the course, with the number of letter grades. */
import { type Averages, teachersAverage } from "../data/teacher-averages.ts";
import { count, spokenName } from "../format.ts";

interface AverageProps {
  readonly averages: Averages;
  /** `COMPSCI 161`. */
  readonly course: string;
  /** Names as in the schedule. */
  readonly instructors: readonly string[];
}

const LIST = new Intl.ListFormat("en", { type: "conjunction" });

/** `A. Tavolafort averages 2.15 over 381 letter grades; the course averages 3.23 over 4,210`. */
export function averageText({ averages, course, instructors }: AverageProps): string {
  const theirs = teachersAverage(averages, course, instructors);
  const all = averages.courses.get(course);
  return [
    theirs &&
      `${LIST.format(theirs.names.map(spokenName))} ${theirs.names.length === 1 ? "averages" : "average"} ${theirs.mean.toFixed(2)} over ${count(theirs.students)} letter grades`,
    all && `the course averages ${all.mean.toFixed(2)} over ${count(all.students)}${theirs ? "" : " letter grades"}`,
  ]
    .filter(Boolean)
    .join("; ");
}

/** A number and a grey n: `2.15 381`, or `3.23 course` where no instructor has graded it. */
export function AverageCell(props: AverageProps) {
  const theirs = teachersAverage(props.averages, props.course, props.instructors);
  const all = props.averages.courses.get(props.course);
  const shown = theirs ?? all;
  if (!shown) return <span class="quiet">–</span>;
  return (
    <span class="average" title={averageText(props)}>
      <strong>{shown.mean.toFixed(2)}</strong>{" "}
      <small class="quiet">{theirs ? `n ${count(shown.students)}` : "course"}</small>
    </span>
  );
}
