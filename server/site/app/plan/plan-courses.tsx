/** The courses of a plan: their chosen sections with what is wrong with them, what is missing, and the alternatives. */
import { sectionAddress } from "../data/addresses.ts";
import { courseOf, sectionName, type SectionLine } from "../data/sections.ts";
import type { Averages } from "../data/teacher-averages.ts";
import { termQuery } from "../data/term-names.ts";
import { plural } from "../format.ts";
import { averageText } from "../parts/average.tsx";
import { CourseLink } from "../parts/links.tsx";
import { Instructors } from "../parts/people.tsx";
import { Final, Meetings, Seats, Status } from "../parts/section-cells.tsx";
import { AlternativeList } from "./alternative-list.tsx";
import type { Alternative } from "./alternatives.ts";
import { LockButton } from "./lock-button.tsx";
import type { PlannedCourse } from "./plan-data.ts";
import type { PlanEdits } from "./plan-edits.ts";
import { fullName, type PlanProblems, wordsFor } from "./problems.ts";

export interface CourseActions {
  /** Undefined for a shared plan. */
  readonly remove?: PlanEdits["remove"];
  /** Undefined for a shared plan, and while a candidate is shown, as `choose` is. */
  readonly lock?: PlanEdits["lock"];
  readonly choose?: PlanEdits["choose"];
  readonly open: (course: string | undefined) => void;
  readonly setActive: (code: string | undefined) => void;
}

interface PlanCoursesProps {
  readonly courses: readonly PlannedCourse[];
  readonly term: string;
  readonly averages: Averages;
  readonly problems: PlanProblems;
  readonly colors: ReadonlyMap<string, number>;
  /** Codes of locked sections. */
  readonly locked: ReadonlySet<string>;
  /** The course whose alternatives are shown, and the one that the keyboard has reached. */
  readonly opened: string | undefined;
  readonly active: string | undefined;
  readonly alternatives: readonly Alternative[];
  readonly actions: CourseActions;
}

export function PlanCourses(props: PlanCoursesProps) {
  const { courses, colors } = props;
  return (
    <ul class="plan-courses">
      {courses.map((course) => (
        <li key={course.name} style={{ "--course": `var(--course-${colors.get(course.name) ?? 1})` }}>
          <Course {...props} course={course} />
        </li>
      ))}
    </ul>
  );
}

function Course(props: PlanCoursesProps & { readonly course: PlannedCourse }) {
  const { course, term, averages, problems, locked, opened, active, alternatives, actions } = props;
  const { name, chosen, lines, incomplete } = course;
  const isOpen = opened === name;
  const others = lines.filter((line) => !chosen.some(({ sectionCode }) => sectionCode === line.sectionCode)).length;
  return (
    <>
      <div class="plan-head">
        <h3>
          <CourseLink name={name} />
        </h3>
        {actions.remove && <RemoveButton name={name} onPress={() => actions.remove?.(name, { course: name })} />}
      </div>
      <p class="quiet">{(chosen[0] ?? lines[0])?.courseTitle}</p>
      {lines.length === 0 && chosen.length === 0 && <p class="problem">Not offered this term.</p>}
      {[
        ...incomplete.missing.map((words) => `Choose ${words}.`),
        ...incomplete.mismatched.map((words) => `${words}.`),
      ].map((words) => (
        <p class="missing">{words}</p>
      ))}
      <ul class="plan-list">
        {chosen.map((section) => (
          <Chosen key={section.sectionCode} {...{ section, term, averages, problems, locked, actions }} />
        ))}
      </ul>
      {actions.choose && others > 0 && (
        <button
          type="button"
          class="small"
          aria-expanded={isOpen}
          onClick={() => actions.open(isOpen ? undefined : name)}
        >
          {chosen.length === 0 ? "Choose among" : "Show"}{" "}
          {plural(others, chosen.length === 0 ? "section" : "alternative")}
        </button>
      )}
      {isOpen && (
        <AlternativeList
          name={`Sections of ${name}`}
          course={name}
          alternatives={alternatives}
          averages={averages}
          active={active}
          onActive={actions.setActive}
          onChoose={(section) => actions.choose?.(course, section)}
        />
      )}
    </>
  );
}

interface ChosenProps extends Pick<PlanCoursesProps, "term" | "averages" | "problems" | "locked" | "actions"> {
  readonly section: SectionLine;
}

function Chosen({ section, term, averages, problems, locked, actions }: ChosenProps) {
  const { clashes, finalClashes, walks } = problems;
  const { sectionCode, isCancelled, finalExam, instructors } = section;
  const name = `${fullName(section)} (${sectionCode})`;
  return (
    <li class={isCancelled ? "cancelled" : undefined}>
      <div class="plan-head">
        <span class="name">
          {sectionName(section)}{" "}
          <a class="quiet" href={sectionAddress({ ...termQuery(term), code: sectionCode })}>
            {sectionCode}
          </a>
        </span>
        <span>
          {actions.lock && !isCancelled && (
            <LockButton name={name} isLocked={locked.has(sectionCode)} onPress={() => actions.lock?.(section)} />
          )}{" "}
          {actions.remove && actions.choose && (
            <RemoveButton name={name} onPress={() => actions.remove?.(name, { codes: [sectionCode] })} />
          )}
        </span>
      </div>
      <div class="plan-facts">
        <Meetings {...section} />
        <Instructors names={instructors} ids={section.instructorIds} course={courseOf(section)} />
        {instructors.some((name) => name !== "STAFF") && (
          <div class="average">{averageText({ averages, course: courseOf(section), instructors })}</div>
        )}
        {finalExam.examStatus !== "NO_FINAL" && (
          <div>
            {finalExam.examStatus === "SCHEDULED_FINAL" && <span class="quiet">Final: </span>}
            <Final {...section} />
          </div>
        )}
      </div>
      <div class="plan-seats">
        <div>
          <Seats section={section} />
        </div>
        <Status {...section} />
      </div>
      {[...clashes, ...finalClashes]
        .flatMap((problem) => wordsFor(section, problem))
        .map((words) => (
          <p class="clash">{words}</p>
        ))}
      {walks
        .filter(({ sections: [before] }) => before.sectionCode === sectionCode)
        .flatMap((problem) => wordsFor(section, problem))
        .map((words) => (
          <p class="walk">{words}</p>
        ))}
    </li>
  );
}

/** The next one has the focus after that, so that the keyboard need not begin again. */
export const RemoveButton = ({ name, onPress }: { name: string; onPress: () => void }) => (
  <button
    type="button"
    class="small remove"
    aria-label={`Remove from plan: ${name}`}
    title="Remove from plan"
    onClick={({ currentTarget }) => {
      const index = [...document.querySelectorAll("button.remove")].indexOf(currentTarget);
      onPress();
      // The list is rendered after the event.
      setTimeout(() => {
        const left = document.querySelectorAll<HTMLButtonElement>("button.remove");
        (left[Math.min(index, left.length - 1)] ?? document.querySelector<HTMLElement>(".undo button"))?.focus();
      });
    }}
  >
    <span aria-hidden="true">✕</span>
  </button>
);
