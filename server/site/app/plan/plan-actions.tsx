/** The toolbar of a plan: schedules that fit, exports, and a menu of what is done with a whole plan. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { addressOf, findAddress, planAddress } from "../data/addresses.ts";
import { datesOf, SiteContext } from "../data/terms.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { PlanChooser } from "./plan-chooser.tsx";

export const calendarAddress = (term: string, codes: readonly string[]): string =>
  addressOf("/schedule", {
    ...termQuery(term),
    sectionCodes: codes.join(","),
    cancelledCourses: "Include",
    format: "ics",
  });

interface PlanActionsProps {
  readonly term: string;
  readonly codes: readonly string[];
  readonly courses: readonly string[];
  /** Codes of locked sections. */
  readonly locked: readonly string[];
  readonly isMine: boolean;
  /** The first button of the toolbar. */
  readonly children: ComponentChildren;
}

export function PlanActions({ term, codes, courses, locked, isMine, children }: PlanActionsProps) {
  const hasDates = datesOf(useContext(SiteContext), term) !== undefined;
  const calendar = new URL(calendarAddress(term, codes), globalThis.location.href).href;
  const link = new URL(planAddress(term, codes, courses, locked), globalThis.location.href).href;
  return (
    <div class="plan-actions">
      {children}
      <a class="button" href={calendar} download={`plan-${term.replace(" ", "-")}.ics`}>
        Calendar file
      </a>
      <CopyButton text={link} name="link" hasName />
      <details>
        <summary>More</summary>
        <div class="more">
          <a href={findAddress({ term, fullCourses: "SkipFull", fitsPlan: "true", prerequisites: "true" })}>
            Find classes I can take
          </a>
          <a class="button" href={calendar.replace(/^https?:/, "webcal:")}>
            Subscribe in a calendar
          </a>
          <CopyButton text={calendar} name="calendar address" hasName />
          <button type="button" class="small" onClick={() => globalThis.print()}>
            Print
          </button>
          {isMine && <PlanChooser term={term} courses={courses} />}
        </div>
      </details>
      {!hasDates && (
        <p class="quiet">{termTitle(term)} has no calendar dates yet, so the calendar file has finals only.</p>
      )}
    </div>
  );
}
