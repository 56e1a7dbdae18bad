/** Shows what a course needs and unlocks, and its other conditions in the catalogue's words. */
import type { Course } from "./course-node.tsx";
import { Needs, Unlocks } from "./requirement-tree.tsx";

const FACTS = [
  ["Catalogue text", "prerequisiteText"],
  ["Corequisites", "corequisites"],
  ["Restriction", "restriction"],
  ["Same as", "sameAs"],
  ["Taught together with", "concurrent"],
  ["Overlaps with", "overlap"],
  ["Grading", "gradingOption"],
  ["Repeatability", "repeatability"],
] as const;

export const Conditions = ({ course }: { course: Course }) => (
  <>
    <div class="trees">
      <section aria-label="Prerequisites">
        <h3>Required first</h3>
        <Needs course={course} path={[course.id]} />
      </section>
      <p class="here">
        {course.department} {course.courseNumber}
      </p>
      <section aria-label="Unlocks">
        <h3>Unlocks</h3>
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
