/** Before and after a course: what it needs and unlocks, and its other conditions in the catalogue's words. */
import type { Course } from "./course-node.tsx";
import { Needs, Unlocks } from "./requirement-tree.tsx";

const FACTS = [
  ["In the catalogue’s words", "prerequisiteText"],
  ["At the same time", "corequisites"],
  ["Restriction", "restriction"],
  ["Same as", "sameAs"],
  ["Taught together with", "concurrent"],
  ["Overlaps with", "overlap"],
  ["Grading", "gradingOption"],
  ["May be repeated", "repeatability"],
] as const;

export const Conditions = ({ course }: { course: Course }) => (
  <>
    <div class="trees">
      <section aria-label="Prerequisites">
        <h3>Needed before</h3>
        <Needs course={course} path={[course.id]} />
      </section>
      <p class="here">
        {course.department} {course.courseNumber}
      </p>
      <section aria-label="What it unlocks">
        <h3>What it unlocks</h3>
        <Unlocks course={course} path={[course.id]} />
      </section>
    </div>
    <dl class="conditions">
      {FACTS.filter(([, field]) => course[field] !== "").map(([name, field]) => (
        <div>
          <dt>{name}</dt>
          <dd>{course[field]}</dd>
        </div>
      ))}
    </dl>
  </>
);
