/** Puts a course with its first sections that fit into the reader's plan of a term. */
import { useState } from "preact/hooks";
import { planAddress } from "../data/addresses.ts";
import { errorMessage } from "../data/fetch-json.ts";
import { termTitle } from "../data/term-names.ts";
import { usePlan } from "../plan/stored-plan.ts";

interface CoursePlanButtonProps {
  readonly term: string;
  /** `COMPSCI 161`. */
  readonly course: string;
  /** The codes of the course's sections in the term. */
  readonly codes: readonly string[];
}

export function CoursePlanButton({ term, course, codes }: CoursePlanButtonProps) {
  const plan = usePlan(term);
  const [said, setSaid] = useState("");
  const isIn = plan.courses.includes(course) || codes.some((code) => plan.codes.includes(code));
  const add = () =>
    void import("../plan/add.ts")
      .then((m) => m.addCourse(term, course))
      .then(
        (name) => setSaid(name === undefined ? `${course} is not offered in ${termTitle(term)}.` : ""),
        (error: unknown) => setSaid(errorMessage(error)),
      );
  return (
    <span class="course-plan">
      {isIn ? (
        <a href={planAddress(term)}>On your {termTitle(term)} plan</a>
      ) : (
        <button type="button" class="small" onClick={add}>
          + Plan {course}
        </button>
      )}{" "}
      <span role="status" class="quiet">
        {said}
      </span>
    </span>
  );
}
