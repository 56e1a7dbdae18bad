/** The alternatives of a course as a list: arrow keys go through it, Enter chooses. */
import { useId, useState } from "preact/hooks";
import { STATUS_NAMES } from "../charts/status-band.ts";
import { sectionName, type SectionLine } from "../data/sections.ts";
import { type Averages, teachersAverage } from "../data/teacher-averages.ts";
import { count, formatFinal, formatMeeting, spokenName } from "../format.ts";
import type { Alternative } from "./alternatives.ts";

/** `9 / 30, open`. */
export const seatsText = ({ numCurrentlyEnrolled, maxCapacity, status }: SectionLine): string =>
  `${numCurrentlyEnrolled.totalEnrolled || "?"} / ${maxCapacity || "?"}, ${STATUS_NAMES[status] ?? status}`;

interface AlternativeListProps {
  /** For screen readers. */
  readonly name: string;
  /** `COMPSCI 161`. */
  readonly course: string;
  readonly alternatives: readonly Alternative[];
  readonly averages: Averages;
  /** The code that the keyboard has reached. */
  readonly active: string | undefined;
  readonly onActive: (code: string | undefined) => void;
  readonly onChoose: (section: SectionLine) => void;
}

export function AlternativeList(props: AlternativeListProps) {
  const { name, course, alternatives, averages, active, onActive, onChoose } = props;
  const id = useId();
  const [hasFocus, setHasFocus] = useState(false);
  const index = alternatives.findIndex(({ section }) => section.sectionCode === active);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, alternatives.length - 1));
    onActive(alternatives[next]?.section.sectionCode);
    document.getElementById(`${id}${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: Infinity,
    };
    const chosen = alternatives[index]?.section;
    if (event.key in steps) go(steps[event.key] ?? 0);
    else if ((event.key === "Enter" || event.key === " ") && chosen) onChoose(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <ul
      class="alternatives"
      role="listbox"
      aria-label={name}
      aria-multiselectable="true"
      aria-activedescendant={index < 0 || !hasFocus ? undefined : `${id}${index}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={() => {
        setHasFocus(true);
        if (index < 0) go(alternatives.findIndex(({ isChosen }) => isChosen));
      }}
      onBlur={() => {
        setHasFocus(false);
        onActive(undefined);
      }}
    >
      {alternatives.map(({ section, isChosen, isBelow, clashes }, i) => (
        <li
          id={`${id}${i}`}
          key={section.sectionCode}
          role="option"
          aria-selected={isChosen}
          class={[isBelow && "is-below", hasFocus && i === index && "is-active"].filter(Boolean).join(" ")}
          onClick={() => onChoose(section)}
        >
          <strong>
            <span aria-hidden="true">{isChosen ? "✓ " : ""}</span>
            {sectionName(section)}
          </strong>{" "}
          {section.meetings.map((meeting) => formatMeeting(meeting).at).join(", ")}{" "}
          <span class="quiet">{factsOf(section, course, averages)}</span>
          {!isChosen && clashes.length === 0 && <span class="fits"> fits</span>}
          {clashes.map((words) => (
            <span class="clash">{words}</span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** `9 / 30, open · A. Tavolafort · average 3.21 (n 120) · final Mon, Dec 7, 1:30–3:30 pm`. */
export function factsOf(section: SectionLine, course: string, averages: Averages): string {
  const { instructors, finalExam } = section;
  const theirs = teachersAverage(averages, course, instructors);
  return [
    seatsText(section),
    instructors.map(spokenName).join(", "),
    theirs && `average ${theirs.mean.toFixed(2)} (n ${count(theirs.students)})`,
    finalExam.examStatus === "SCHEDULED_FINAL" && `final ${formatFinal(finalExam)}`,
    finalExam.examStatus === "TBA_FINAL" && "final not scheduled yet",
  ]
    .filter(Boolean)
    .join(" · ");
}
