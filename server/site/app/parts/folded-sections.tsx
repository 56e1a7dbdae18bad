/** The sections of a large course: a line for each lecture, which opens to the table of what belongs to it. */
import { useState } from "preact/hooks";
import { useIsNew } from "../data/new-student.ts";
import { isOpen } from "../data/is-open.ts";
import { useRemembered } from "../data/remembered.ts";
import { sectionName, type SectionLine } from "../data/sections.ts";
import { formatMeeting, plural, spokenName } from "../format.ts";
import { Status } from "./section-cells.tsx";
import { SectionTable } from "./sections.tsx";

const STEP = 12;

const RANKS: Readonly<Record<string, number>> = { OPEN: 0, NewOnly: 1, Waitl: 2, FULL: 3 };
const rankOf = ([first]: readonly SectionLine[]): number =>
  first?.isCancelled ? 9 : (RANKS[first?.status ?? ""] ?? 4);

/** The searchable text of a section: everything that its line says, and its code. */
const textOf = (section: SectionLine): string =>
  [
    sectionName(section),
    section.sectionCode,
    ...section.instructors.map(spokenName),
    ...section.meetings.map((meeting) => `${formatMeeting(meeting).at} ${formatMeeting(meeting).where}`),
  ]
    .join(" ")
    .toLowerCase();

interface FoldedSectionsProps {
  readonly folds: readonly (readonly SectionLine[])[];
  readonly term: string;
  readonly chosen: string | undefined;
}

export function FoldedSections({ folds, term, chosen }: FoldedSectionsProps) {
  const [filter, setFilter] = useState("");
  const [limit, setLimit] = useRemembered<number>("lectures", STEP);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (fold: readonly SectionLine[]) =>
    fold.some((section) => words.every((word) => textOf(section).includes(word)));
  const isChosen = (fold: readonly SectionLine[]) => fold.some(({ sectionCode }) => sectionCode === chosen);
  const matching = folds
    .filter(has)
    .toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)) || rankOf(a) - rankOf(b));
  const more = Math.min(STEP, matching.length - limit);
  return (
    <>
      <p class="choice">
        <label>
          Filter{" "}
          <input
            type="search"
            value={filter}
            placeholder="TuTh, a name, a code"
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </label>{" "}
        <span role="status" class="quiet">
          {matching.length} of {plural(folds.length, "lecture")}, open ones first
        </span>
      </p>
      {matching.slice(0, limit).map((fold) => (
        <Fold key={fold[0]?.sectionCode} fold={fold} term={term} chosen={chosen} isFirstOpen={isChosen(fold)} />
      ))}
      {more > 0 && (
        <button type="button" class="small" onClick={() => setLimit(limit + STEP)}>
          Show {plural(more, "more", "more")} of {matching.length}
        </button>
      )}
    </>
  );
}

interface FoldProps {
  readonly fold: readonly SectionLine[];
  readonly term: string;
  readonly chosen: string | undefined;
  readonly isFirstOpen: boolean;
}

function Fold({ fold, term, chosen, isFirstOpen }: FoldProps) {
  const [first] = fold;
  const [isUnfolded, setIsUnfolded] = useRemembered<boolean>(`fold ${first?.sectionCode}`, isFirstOpen);
  const isNew = useIsNew();
  if (!first) return null;
  const others = fold.length - 1;
  const open = fold.slice(1).filter((section) => isOpen(section, isNew)).length;
  const name = sectionName(first);
  return (
    <details class="fold" open={isUnfolded} onToggle={({ currentTarget }) => setIsUnfolded(currentTarget.open)}>
      <summary>
        <strong>{name}</strong> {first.sectionCode} ·{" "}
        {first.meetings.map((meeting) => formatMeeting(meeting).at).join(", ")}{" "}
        <span class="quiet">
          {first.instructors.map(spokenName).join(", ")} · {first.numCurrentlyEnrolled.totalEnrolled || "?"} /{" "}
          {first.maxCapacity || "?"}
          {others > 0 && ` · ${plural(others, "section")} below, ${open} open`}
        </span>{" "}
        <Status status={first.status} isCancelled={first.isCancelled} isPlain />
      </summary>
      {isUnfolded && (
        <SectionTable sections={fold} term={term} chosen={chosen} caption={`${name} and what belongs to it`} />
      )}
    </details>
  );
}
