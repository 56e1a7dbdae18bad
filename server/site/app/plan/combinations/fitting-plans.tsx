/** Finds schedules without clashes: options, preferences, and one schedule after another in the week. */
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { useIsNew } from "../../data/new-student.ts";
import type { Averages } from "../../data/teacher-averages.ts";
import { count, plural } from "../../format.ts";
import { NewStudentChoice } from "../../parts/new-student-choice.tsx";
import { DAYS } from "../clashes.ts";
import type { PlannedCourse } from "../plan-data.ts";
import { weekdayName } from "../problems.ts";
import { useCombinations } from "./use-combinations.ts";
import type { Allowed, Done } from "./worker.ts";
import type { Wishes } from "./wishes.ts";

const STARTS = ["", "08:30", "09:00", "10:00", "11:00", "12:00"] as const;
const SCHOOL_DAYS = [1, 2, 3, 4, 5];
const ALLOWED: Readonly<Record<Exclude<keyof Allowed, "newOnly">, string>> = {
  full: "full",
  waitlisted: "waitlisted",
  restricted: "restricted",
};
const WISHES = { seats: "seats left", average: "higher instructor averages", fewGaps: "few gaps" } as const;

const minutesOf = (clock: string): number | undefined => {
  const [hour, minute] = clock.split(":").map(Number);
  return hour === undefined || minute === undefined ? undefined : hour * 60 + minute;
};

interface FittingPlansProps {
  readonly courses: readonly PlannedCourse[];
  readonly averages: Averages;
  /** Codes of locked sections. */
  readonly locked: ReadonlySet<string>;
  /** The year of the term. */
  readonly year: string;
  /** Shows a combination in the week; undefined shows the plan again. */
  readonly onShow: (codes: readonly string[] | undefined) => void;
  /** Undefined where the plan is another's. */
  readonly onTake: ((codes: readonly string[]) => void) | undefined;
}

export function FittingPlans({ courses, averages, locked, year, onShow, onTake }: FittingPlansProps) {
  const id = useId();
  const isNew = useIsNew();
  const [choices, setChoices] = useState({ full: false, waitlisted: true, restricted: true });
  const allowed = useMemo((): Allowed => ({ ...choices, newOnly: isNew }), [choices, isNew]);
  const [wishes, setWishes] = useState<Wishes>({ freeDays: [], seats: true, average: false, fewGaps: false });
  /** The one that was stepped to: it stays when averages come later. */
  const [reached, setReached] = useState<string>();
  const result = useCombinations({ courses, averages, allowed, locked, wishes, year });
  const best = result?.best ?? [];
  const index = Math.max(
    0,
    best.findIndex(({ codes }) => codes.join() === reached),
  );
  const shown = best[index];
  useEffect(() => onShow(shown?.codes), [shown]);
  useEffect(() => () => onShow(undefined), []);
  const step = (to: number) => setReached(best[Math.max(0, Math.min(to, best.length - 1))]?.codes.join());
  // Other choices begin with their best.
  const allow = (other: typeof choices) => (setChoices(other), setReached(undefined));
  const wish = (other: Wishes) => (setWishes(other), setReached(undefined));
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowDown: index + 1,
      ArrowLeft: index - 1,
      ArrowUp: index - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    step(to);
  };
  return (
    <div class="fitting">
      <fieldset class="switches">
        <legend>Include sections that are</legend>
        {Object.entries(ALLOWED).map(([name, words]) => (
          <label>
            <input
              type="checkbox"
              checked={choices[name as keyof typeof choices]}
              onChange={({ currentTarget }) => allow({ ...choices, [name]: currentTarget.checked })}
            />{" "}
            {words}
          </label>
        ))}
        <NewStudentChoice />
      </fieldset>
      <fieldset class="switches">
        <legend>Preferences</legend>
        <label>
          no class before{" "}
          <select onChange={({ currentTarget }) => wish({ ...wishes, notBefore: minutesOf(currentTarget.value) })}>
            {STARTS.map((start) => (
              <option value={start}>{start === "" ? "any hour" : start.replace(/^0/, "")}</option>
            ))}
          </select>
        </label>
        {Object.entries(WISHES).map(([name, words]) => (
          <label>
            <input
              type="checkbox"
              checked={wishes[name as keyof typeof WISHES]}
              onChange={({ currentTarget }) => wish({ ...wishes, [name]: currentTarget.checked })}
            />{" "}
            {words}
          </label>
        ))}
      </fieldset>
      <fieldset class="switches">
        <legend>Free days</legend>
        {SCHOOL_DAYS.map((day) => (
          <label>
            <input
              type="checkbox"
              aria-label={weekdayName(day)}
              checked={wishes.freeDays.includes(day)}
              onChange={({ currentTarget }) => {
                const others = wishes.freeDays.filter((other) => other !== day);
                wish({ ...wishes, freeDays: currentTarget.checked ? [...others, day] : others });
              }}
            />{" "}
            {DAYS[day]}
          </label>
        ))}
      </fieldset>
      <p role="status" class="fitting-count">
        {result ? foundText(result, courses) : "Finding schedules …"}
        {locked.size > 0 && ` ${plural(locked.size, "locked section stays", "locked sections stay")}.`}
      </p>
      {result && best.length > 0 && (
        <div class="stepper" role="group" aria-label="Schedules" aria-describedby={`${id}help`} onKeyDown={onKeyDown}>
          <button
            type="button"
            class="small"
            aria-label="Previous schedule"
            aria-disabled={index === 0}
            onClick={() => step(index - 1)}
          >
            ←
          </button>{" "}
          <span aria-live="polite">
            {count(index + 1)} of {count(best.length)}
          </span>{" "}
          <button
            type="button"
            class="small"
            aria-label="Next schedule"
            aria-disabled={index >= best.length - 1}
            onClick={() => step(index + 1)}
          >
            →
          </button>{" "}
          {onTake && shown && (
            <button type="button" class="small is-strong" onClick={() => onTake(shown.codes)}>
              Use this schedule
            </button>
          )}
          <span id={`${id}help`} class="quiet">
            {" "}
            Shown in the week. Use the arrow keys to browse.
          </span>
        </div>
      )}
    </div>
  );
}

/** `38 schedules.`, `More than 10,000 schedules; showing 200 good ones.` */
function foundText({ total, isCounted, isRanked, best, without }: Done, courses: readonly PlannedCourse[]): string {
  const names = without.flatMap((i) => courses[i]?.name ?? []);
  if (names.length > 0) return `No schedule works: ${names.join(", ")} has no section with these options.`;
  if (total === 0)
    return isCounted ? "No schedule works: every combination has a clash." : "No schedule found in time.";
  const number = `${isCounted ? "" : "More than "}${plural(total, "schedule")}`;
  if (best.length >= total) return `${number}.`;
  const shown = count(best.length);
  return `${number}; showing ${isRanked ? `the best ${shown}` : `${shown} good ones`}.`;
}
