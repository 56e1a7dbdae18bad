/** The week and the finals of a plan, with the alternatives of one course, and what has no place in them. */
import { courseOf, type SectionLine } from "../data/sections.ts";
import type { Averages } from "../data/teacher-averages.ts";
import { formatMeeting } from "../format.ts";
import { factsOf } from "./alternative-list.tsx";
import type { Alternative } from "./alternatives.ts";
import { type Block, hasTime, weekBlocks } from "./clashes.ts";
import { dateName, fullName, type PlanProblems, weekdayName } from "./problems.ts";
import { type BelowBlock, type GridBlock, TimeGrid } from "./time-grid.tsx";
import { unsetFinals } from "./verdict.ts";

const SCHOOL_DAYS = [1, 2, 3, 4, 5];
/** Hours that are shown at least. */
const [FROM, TO] = [9, 17];

interface WeekProps {
  /** Those that take place. */
  readonly sections: readonly SectionLine[];
  readonly problems: PlanProblems;
  readonly ghosts: readonly Alternative[];
  readonly active: string | undefined;
  readonly averages: Averages;
  readonly colors: ReadonlyMap<string, number>;
  /** Codes of locked sections. */
  readonly locked: ReadonlySet<string>;
  /** Undefined where the plan cannot be changed. */
  readonly onPress: ((block: GridBlock) => void) | undefined;
  readonly below: BelowBlock | undefined;
}

const clashing = (problems: PlanProblems["clashes"]): ReadonlySet<string> =>
  new Set(
    problems.flatMap(({ sections, days }) =>
      sections.flatMap(({ sectionCode }) => days.map((day) => `${sectionCode} ${day}`)),
    ),
  );

export function Week(props: WeekProps) {
  const { sections, problems, ghosts, active, averages, colors, locked, onPress, below } = props;
  const { week, finals, clashes, finalClashes } = problems;
  const ghostBlocks = ghosts.flatMap((ghost) => ghostBlocksOf(ghost, active, averages));
  const blocks = [...week, ...ghostBlocks];
  const unplaced = sections.filter((section) => !week.some((block) => block.section === section));
  const [untimed, dayless] = [unplaced.filter((section) => !hasTime(section)), unplaced.filter(hasTime)];
  return (
    <>
      <h2>Week</h2>
      {blocks.length > 0 ? (
        <TimeGrid
          label="Week"
          blocks={blocks}
          days={SCHOOL_DAYS}
          dayName={weekdayName}
          clashing={clashing(clashes)}
          colors={colors}
          from={FROM}
          to={TO}
          onPress={onPress}
          below={below}
          locked={locked}
        />
      ) : (
        dayless.length === 0 && <p class="quiet">No meeting times announced yet.</p>
      )}
      {untimed.length > 0 && <p class="unplaced">No set time: {untimed.map(namedPlace).join(", ")}.</p>}
      {dayless.length > 0 && <p class="unplaced">Time but no days announced: {dayless.map(fullName).join(", ")}.</p>}
      <h2>Finals</h2>
      {finals.length > 0 && (
        <TimeGrid
          isLow
          label="Finals"
          blocks={finals}
          days={[]}
          dayName={dateName}
          clashing={clashing(finalClashes)}
          colors={colors}
          from={8}
          to={17}
        />
      )}
      <FinalsInWords sections={sections} finals={finals} />
    </>
  );
}

/** Block by block, with what a student weighs. */
const ghostBlocksOf = (
  { section, clashes }: Alternative,
  active: string | undefined,
  averages: Averages,
): GridBlock[] =>
  weekBlocks([section]).map((block) => ({
    ...block,
    isGhost: true,
    isActive: section.sectionCode === active,
    facts: [factsOf(section, courseOf(section), averages), ...clashes].join(" · "),
  }));

/** `WRITING 39C Lec Q (online)`. */
function namedPlace(section: SectionLine): string {
  const places = new Set(section.meetings.map((meeting) => formatMeeting(meeting).where));
  places.delete("place TBA");
  return places.size === 0 ? fullName(section) : `${fullName(section)} (${[...places].join(", ")})`;
}

function FinalsInWords({ sections, finals }: { sections: readonly SectionLine[]; finals: readonly Block[] }) {
  const unset = unsetFinals(sections);
  if (unset.length > 0) return <p class="unplaced">Not scheduled yet: {unset.map(fullName).join(", ")}.</p>;
  return finals.length > 0 ? null : <p class="quiet">No finals.</p>;
}
