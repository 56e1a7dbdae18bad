/** The alternatives to a section of the week, below the block that was pressed. */
import { useEffect, useRef } from "preact/hooks";
import { courseOf, sectionName, type SectionLine } from "../data/sections.ts";
import type { Averages } from "../data/teacher-averages.ts";
import { AlternativeList } from "./alternative-list.tsx";
import type { Alternative } from "./alternatives.ts";
import { LockButton } from "./lock-button.tsx";
import { fullName } from "./problems.ts";

export interface SwapProps {
  readonly section: SectionLine;
  /** Sections of the same course and kind, the chosen one included. */
  readonly alternatives: readonly Alternative[];
  readonly averages: Averages;
  readonly active: string | undefined;
  readonly isLocked: boolean;
  readonly onActive: (code: string | undefined) => void;
  readonly onChoose: (section: SectionLine) => void;
  readonly onLock: () => void;
  readonly onClose: () => void;
}

export function Swap(props: SwapProps) {
  const { section, alternatives, averages, active, isLocked, onActive, onChoose, onLock, onClose } = props;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focusable = [...(panel.current?.querySelectorAll<HTMLElement>("[role=listbox], button") ?? [])];
    (focusable.find(({ role }) => role === "listbox") ?? focusable[0])?.focus();
  }, []);
  const name = fullName(section);
  const isOnly = alternatives.every(({ isChosen }) => isChosen);
  return (
    <div
      ref={panel}
      class="swap"
      role="dialog"
      aria-label={`Alternatives to ${name}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <p class="plan-head">
        <strong>{isOnly ? `No alternative to ${sectionName(section)}` : `Swap ${sectionName(section)}`}</strong>
        <span>
          <LockButton name={`${name} (${section.sectionCode})`} isLocked={isLocked} onPress={onLock} />{" "}
          <button type="button" class="small" aria-label="Close" onClick={onClose}>
            <span aria-hidden="true">✕</span>
          </button>
        </span>
      </p>
      {!isOnly && (
        <AlternativeList
          name={`Alternatives to ${name}`}
          course={courseOf(section)}
          alternatives={alternatives}
          averages={averages}
          active={active}
          onActive={onActive}
          onChoose={onChoose}
        />
      )}
    </div>
  );
}
