/** Blocks of time by day: a grid with hours, and a list of days on a narrow screen. */
import { sectionName, type SectionLine } from "../data/sections.ts";
import { clockRange, placeText } from "../format.ts";
import { type Block, lanesOf } from "./clashes.ts";

interface TimeGridProps {
  readonly label: string;
  readonly blocks: readonly Block<SectionLine>[];
  /** Of a day, such as `Tuesday`. */
  readonly dayName: (day: number) => string;
  /** Code and day of sections that clash: `34130 2`. */
  readonly clashing: ReadonlySet<string>;
  /** Hours that are shown at least. */
  readonly from: number;
  readonly to: number;
  /** With less room for each hour. */
  readonly isLow?: boolean;
}

export function TimeGrid({ label, blocks, dayName, clashing, from, to, isLow = false }: TimeGridProps) {
  const first = Math.min(from, ...blocks.map(({ start }) => Math.floor(start / 60)));
  const last = Math.max(to, ...blocks.map(({ end }) => Math.ceil(end / 60)));
  const days = [...new Set(blocks.map(({ day }) => day))].sort((a, b) => a - b);
  const hours = Array.from({ length: last - first }, (_, i) => first + i);
  return (
    <div
      class={isLow ? "time-grid is-low" : "time-grid"}
      role="group"
      aria-label={label}
      style={{ "--hours": hours.length, "--days": days.length }}
    >
      <ol class="hours" aria-hidden="true">
        {hours.map((hour) => (
          <li>{`${hour % 12 === 0 ? 12 : hour % 12} ${hour % 24 < 12 ? "am" : "pm"}`}</li>
        ))}
      </ol>
      {days.map((day) => (
        <div class="day">
          <h3>{dayName(day)}</h3>
          <ol>
            {lanesOf(blocks.filter((block) => block.day === day)).map(({ block, lane, lanes }) => (
              <li
                class={clashing.has(`${block.section.sectionCode} ${day}`) ? "block is-clashing" : "block"}
                style={{
                  "--top": (block.start - first * 60) / 60,
                  "--length": (block.end - block.start) / 60,
                  "--lane": lane,
                  "--lanes": lanes,
                }}
              >
                <BlockText block={block} />
              </li>
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}

const clock = (minutes: number) => ({ hour: Math.floor(minutes / 60), minute: minutes % 60 });

const BlockText = ({ block: { section, start, end, places } }: { block: Block<SectionLine> }) => (
  <div class="block-text">
    <strong>
      {section.deptCode} {section.courseNumber}
    </strong>{" "}
    {sectionName(section)}{" "}
    <span class="when-where">
      {clockRange(clock(start), clock(end))} {places.map(placeText).join(", ")}
    </span>
  </div>
);
