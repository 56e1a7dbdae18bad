/** A plan that is not empty: the verdict, the week, the courses, and the plans that fit. */
import { useMemo, useState } from "preact/hooks";
import { courseOf, type SectionLine } from "../data/sections.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { plural } from "../format.ts";
import { Follow } from "../parts/follow.tsx";
import { alternativesOf, ghostsOf } from "./alternatives.ts";
import { totalUnits } from "./clashes.ts";
import { FittingPlans } from "./combinations/fitting-plans.tsx";
import { colorsOf } from "./course-colors.ts";
import { incompleteOf, swapped } from "./course-choice.ts";
import { NoClasses } from "./no-classes.tsx";
import { PlanActions } from "./plan-actions.tsx";
import { PlanChanges } from "./plan-changes.tsx";
import { PlanChooser } from "./plan-chooser.tsx";
import { type CourseActions, PlanCourses, RemoveButton } from "./plan-courses.tsx";
import { besideOf, type PlanData, type PlannedCourse } from "./plan-data.ts";
import { fullName, type PlanProblems, problemsOf } from "./problems.ts";
import { storePlan } from "./stored-plan.ts";
import type { StoredPlan } from "./term-plans.ts";
import { ToDo } from "./to-do.tsx";
import { verdictOf } from "./verdict.ts";
import { Week } from "./week.tsx";

interface PlanPartsProps {
  readonly term: string;
  readonly plan: StoredPlan;
  readonly isMine: boolean;
  readonly data: PlanData;
  /** The course whose alternatives are shown. */
  readonly opened: string | undefined;
  readonly setOpened: (course: string | undefined) => void;
  readonly reload: () => void;
}

export function PlanParts({ term, plan, isMine, data, opened, setOpened, reload }: PlanPartsProps) {
  const { year } = termQuery(term);
  const { courses, sections, vanished, averages } = data;
  const [active, setActive] = useState<string>();
  const [isFitting, setIsFitting] = useState(false);
  const [preview, setPreview] = useState<readonly string[]>();
  const names = courses.map(({ name }) => name);
  const colors = useMemo(() => colorsOf(names), [names.join()]);
  // A candidate takes the place of the chosen sections in every part.
  const shownCourses = preview ? courses.map((planned) => withChosen(planned, preview)) : courses;
  const shown = preview ? shownCourses.flatMap(({ chosen }) => chosen) : sections;
  const shownCodes = preview ?? plan.codes;
  const isEditable = isMine && !preview;
  const held = shown.filter(({ isCancelled }) => !isCancelled);
  const problems = useMemo(() => problemsOf(shown, year), [shown, year]);
  const course = courses.find(({ name }) => name === opened);
  const alternatives = useMemo(
    () => (course ? alternativesOf(course.lines, linesChosen(course), besideOf(data, course.name, term)) : []),
    [data, course, term],
  );
  const ghosts = preview || !isMine ? [] : ghostsOf(alternatives, active);

  const choose = (of: PlannedCourse, section: SectionLine) => {
    const planned = swapped(section, of.lines, linesChosen(of), besideOf(data, of.name, term));
    const others = plan.codes.filter((code) => !of.chosen.some(({ sectionCode }) => sectionCode === code));
    storePlan(term, {
      codes: [...others, ...planned.map(({ sectionCode }) => sectionCode)],
      courses: [...plan.courses, of.name],
    });
  };
  const remove: CourseActions["remove"] = (what, { codes, course: name }) => {
    const gone =
      codes ?? courses.find((course) => course.name === name)?.chosen.map(({ sectionCode }) => sectionCode) ?? [];
    // A course stays without its sections until it is removed itself.
    const owner = courses.find(({ chosen }) => chosen.some(({ sectionCode }) => codes?.includes(sectionCode)))?.name;
    storePlan(
      term,
      {
        codes: plan.codes.filter((code) => !gone.includes(code)),
        courses: [...plan.courses.filter((course) => course !== name), ...(owner === undefined ? [] : [owner])],
      },
      what,
    );
  };
  const actions: CourseActions = {
    ...(isMine ? { remove } : {}),
    ...(isEditable ? { choose } : {}),
    open: setOpened,
    setActive,
  };
  const onPress = (section: SectionLine, isGhost: boolean) => {
    const planned = courses.find(({ name }) => name === courseOf(section));
    if (planned && isGhost) choose(planned, section);
    else if (planned && isEditable) setOpened(planned.name);
  };
  return (
    <>
      <Verdict held={held} problems={problems} vanished={preview ? 0 : vanished.length} />
      <ToDo term={term} courses={shownCourses} />
      <PlanActions term={term} codes={shownCodes} courses={names}>
        <button type="button" class="small" aria-expanded={isFitting} onClick={() => setIsFitting(!isFitting)}>
          Find schedules
        </button>
      </PlanActions>
      {isMine && (
        <div class="plan-bar">
          <PlanChooser term={term} courses={names} />
        </div>
      )}
      {isFitting && (
        <FittingPlans
          courses={courses}
          averages={averages}
          year={year}
          onShow={setPreview}
          onTake={
            isMine
              ? (codes) => {
                  storePlan(term, { codes: [...codes], courses: names }, "your previous sections");
                  setIsFitting(false);
                }
              : undefined
          }
        />
      )}
      <div class="plan-columns">
        <div>
          <Week {...{ sections: held, problems, ghosts, active, averages, colors, onPress }} />
          <NoClasses term={term} />
          {isMine && plan.codes.length > 0 && <PlanChanges term={term} codes={plan.codes} />}
        </div>
        <div>
          <h2>Courses</h2>
          <PlanCourses
            {...{ courses: shownCourses, term, averages, problems, colors, opened, active, alternatives, actions }}
          />
          {(preview ? [] : vanished).map((code) => (
            <p class="problem">
              Section {code} is no longer in the schedule of {termTitle(term)}.{" "}
              {isMine && <RemoveButton name={code} onPress={() => remove(`section ${code}`, { codes: [code] })} />}
            </p>
          ))}
          {plan.codes.length > 0 && (
            <Follow
              query={{ ...termQuery(term), sectionCodes: plan.codes.join(",") }}
              name="the sections of this plan"
              onNews={reload}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** Returns the chosen sections that are not cancelled, as objects of the course's lines. */
const linesChosen = ({ lines, chosen }: PlannedCourse): SectionLine[] =>
  lines.filter((line) => chosen.some(({ sectionCode }) => sectionCode === line.sectionCode));

/** The course with a candidate's sections in place of the chosen ones. */
function withChosen(course: PlannedCourse, codes: readonly string[]): PlannedCourse {
  const chosen = course.lines.filter(({ sectionCode }) => codes.includes(sectionCode));
  return { ...course, chosen, incomplete: incompleteOf(course.lines, chosen) };
}

interface VerdictProps {
  readonly held: readonly SectionLine[];
  readonly problems: PlanProblems;
  readonly vanished: number;
}

/** The answer first. */
function Verdict({ held, problems: { clashes, finalClashes, walks }, vanished }: VerdictProps) {
  const all = [...clashes, ...finalClashes];
  const verdict = verdictOf(held, all.length, vanished);
  if (verdict === undefined) return <p class="lead">No section of this plan is offered.</p>;
  return (
    <>
      <p class="lead">
        {plural(held.length, "section")} · {totalUnits(held.map(({ units }) => units))} units ·{" "}
        {all.length === 0 ? verdict : <strong class="clash">{verdict}</strong>}
      </p>
      {all.length > 0 && (
        <ul class="clashes">
          {all.map(({ sections: [first, second], words }) => (
            <li>
              {fullName(first)} {words(second)}
            </li>
          ))}
        </ul>
      )}
      {walks.length > 0 && (
        <ul class="walks">
          {walks.map(({ sections: [first, second], words }) => (
            <li>
              {fullName(first)}: {words(second)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
