/** A plan that is not empty: the verdict, the week, the courses, and the plans that fit. */
import { useMemo, useState } from "preact/hooks";
import { courseOf, type SectionLine } from "../data/sections.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { Follow } from "../parts/follow.tsx";
import { alternativesOf, ghostsOf } from "./alternatives.ts";
import { FittingPlans } from "./combinations/fitting-plans.tsx";
import { colorsOf } from "./course-colors.ts";
import { incompleteOf } from "./course-choice.ts";
import { NoClasses } from "./no-classes.tsx";
import { PlanActions } from "./plan-actions.tsx";
import { PlanChanges } from "./plan-changes.tsx";
import { type CourseActions, PlanCourses, RemoveButton } from "./plan-courses.tsx";
import { besideOf, type PlanData, type PlannedCourse } from "./plan-data.ts";
import { problemsOf } from "./problems.ts";
import { editsOf, linesChosen } from "./plan-edits.ts";
import { PlanVerdict } from "./plan-verdict.tsx";
import { storePlan } from "./stored-plan.ts";
import { Swap } from "./swap.tsx";
import type { StoredPlan } from "./term-plans.ts";
import { ToDo } from "./to-do.tsx";
import type { GridBlock } from "./time-grid.tsx";
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
  /** The block that was pressed: its section, and one of its days. */
  const [block, setBlock] = useState<{ readonly code: string; readonly day: number }>();
  const [isFitting, setIsFitting] = useState(false);
  const [preview, setPreview] = useState<readonly string[]>();
  const names = courses.map(({ name }) => name);
  const colors = useMemo(() => colorsOf(names), [names.join()]);
  // A candidate takes the place of the chosen sections in every part.
  const shownCourses = preview ? courses.map((planned) => withChosen(planned, preview)) : courses;
  const shown = preview ? shownCourses.flatMap(({ chosen }) => chosen) : sections;
  const shownCodes = preview ?? plan.codes;
  const isEditable = isMine && !preview;
  const { choose, remove, lock } = editsOf(term, plan, data);
  const locked = useMemo(() => new Set(plan.locked), [plan.locked.join()]);
  const held = shown.filter(({ isCancelled }) => !isCancelled);
  const problems = useMemo(() => problemsOf(shown, year), [shown, year]);
  const pressed = isEditable && block ? held.find(({ sectionCode }) => sectionCode === block.code) : undefined;
  const course = courses.find(({ name }) => name === (pressed ? courseOf(pressed) : opened));
  const alternatives = useMemo(
    () =>
      (course ? alternativesOf(course.lines, linesChosen(course), besideOf(data, course.name, term)) : []).filter(
        ({ section }) => pressed === undefined || section.sectionType === pressed.sectionType,
      ),
    [data, course, term, pressed?.sectionType],
  );
  const ghosts = preview || !isMine ? [] : ghostsOf(alternatives, active);

  const actions: CourseActions = {
    ...(isMine ? { remove } : {}),
    ...(isEditable ? { choose, lock } : {}),
    open: (name) => {
      setBlock(undefined);
      setOpened(name);
    },
    setActive,
  };
  const close = (section: SectionLine) => {
    setBlock(undefined);
    // The week is rendered after the event.
    setTimeout(() => document.querySelector<HTMLElement>(`[data-code="${section.sectionCode}"] .cover`)?.focus());
  };
  const onPress = ({ section, day, isGhost = false }: GridBlock) => {
    const planned = courses.find(({ name }) => name === courseOf(section));
    const isPressed = block?.code === section.sectionCode && block.day === day;
    if (planned && isGhost) {
      choose(planned, section);
      setBlock(undefined);
    } else setBlock(isPressed ? undefined : { code: section.sectionCode, day });
  };
  const below = pressed &&
    block &&
    course && {
      ...block,
      content: (
        <Swap
          key={block.code}
          {...{ section: pressed, alternatives, averages, active, onActive: setActive }}
          isLocked={locked.has(block.code)}
          onChoose={(section) => {
            choose(course, section);
            close(section);
          }}
          onLock={() => lock(pressed)}
          onClose={() => close(pressed)}
        />
      ),
    };
  return (
    <>
      <PlanVerdict held={held} problems={problems} vanished={preview ? 0 : vanished.length} />
      <ToDo term={term} courses={shownCourses} prerequisites={data.prerequisites} />
      <PlanActions
        {...{ term, isMine }}
        codes={shownCodes}
        courses={names}
        locked={plan.locked.filter((code) => shownCodes.includes(code))}
      >
        <button
          type="button"
          class="small is-strong"
          aria-expanded={isFitting}
          onClick={() => setIsFitting(!isFitting)}
        >
          Find schedules
        </button>
      </PlanActions>
      {isFitting && (
        <FittingPlans
          courses={courses}
          averages={averages}
          locked={locked}
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
      <Week
        {...{ sections: held, problems, ghosts, active, averages, colors, locked, below }}
        onPress={isEditable ? onPress : undefined}
      />
      <h2>Courses</h2>
      <PlanCourses
        {...{ courses: shownCourses, term, averages, problems, colors, locked, active, alternatives, actions }}
        opened={pressed ? undefined : opened}
      />
      {(preview ? [] : vanished).map((code) => (
        <p class="problem">
          Section {code} is no longer in the schedule of {termTitle(term)}.{" "}
          {isMine && <RemoveButton name={code} onPress={() => remove(`section ${code}`, { codes: [code] })} />}
        </p>
      ))}
      {shownCodes.length > 0 && (
        <Follow
          query={{ ...termQuery(term), sectionCodes: shownCodes.join(",") }}
          name="the sections of this plan"
          onNews={reload}
        />
      )}
      {isMine && shownCodes.length > 0 && <PlanChanges term={term} codes={shownCodes} />}
      <NoClasses term={term} />
    </>
  );
}

/** The course with a candidate's sections in place of the chosen ones. */
function withChosen(course: PlannedCourse, codes: readonly string[]): PlannedCourse {
  const chosen = course.lines.filter(({ sectionCode }) => codes.includes(sectionCode));
  return { ...course, chosen, incomplete: incompleteOf(course.lines, chosen) };
}
