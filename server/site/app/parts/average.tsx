/** The average of whoever teaches a section, with the course's beside it. */
import { type Averages, teachersAverage } from "../data/teacher-averages.ts";
import { plural, spokenName } from "../format.ts";

interface AverageTextProps {
  readonly averages: Averages;
  /** `COMPSCI 161`. */
  readonly course: string;
  /** As in the schedule. */
  readonly instructors: readonly string[];
}

/** `theirs 2.15 (381 students) · course 3.23`; of several who graded it, who they are. */
export function AverageText({ averages, course, instructors }: AverageTextProps) {
  const theirs = teachersAverage(averages, course, instructors);
  const all = averages.courses.get(course);
  if (!theirs && !all) return <span class="quiet">–</span>;
  const names = instructors.length > 1 && theirs ? `${theirs.names.map(spokenName).join(", ")}: ` : "";
  return (
    <span class="average">
      {theirs && (
        <>
          theirs <strong>{theirs.mean.toFixed(2)}</strong>{" "}
          <span class="quiet">
            ({names}
            {plural(theirs.students, "student")})
          </span>
        </>
      )}
      {theirs && all && " · "}
      {all && <span class="quiet">course {all.mean.toFixed(2)}</span>}
    </span>
  );
}
