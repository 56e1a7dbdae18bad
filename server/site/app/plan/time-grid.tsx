/** Blocks of time by day: a grid with hours, and a list of days on a narrow screen. */
import { type ComponentChildren, Fragment } from "preact";
import { courseOf, sectionName, type SectionLine } from "../data/sections.ts";
import { clockRange, placeText } from "../format.ts";
import { type Block, lanesOf } from "./clashes.ts";

export interface GridBlock extends Block<SectionLine> {
  /** An alternative, which takes the place of its like when it is pressed. */
  readonly isGhost?: boolean;
  /** The facts of a ghost, such as its seats. */
  readonly facts?: string;
  /** The ghost that the keyboard has reached. */
  readonly isActive?: boolean;
}

/** Content that stands below a block. */
export interface BelowBlock {
  readonly code: string;
  readonly day: number;
  readonly content: ComponentChildren;
}

interface TimeGridProps {
  readonly label: string;
  readonly blocks: readonly GridBlock[];
  /** Shown also without blocks. */
  readonly days: readonly number[];
  /** Returns the name of a day, such as `Tuesday`. */
  readonly dayName: (day: number) => string;
  /** Code and day of sections that clash: `34130 2`. */
  readonly clashing: ReadonlySet<string>;
  /** By course. */
  readonly colors: ReadonlyMap<string, number>;
  /** Hours that are shown at least. */
  readonly from: number;
  readonly to: number;
  readonly onPress?: ((block: GridBlock) => void) | undefined;
  readonly below?: BelowBlock | undefined;
  /** Codes of locked sections. */
  readonly locked?: ReadonlySet<string>;
  /** With less room for each hour. */
  readonly isLow?: boolean;
}

export function TimeGrid(props: TimeGridProps) {
  const { label, blocks, dayName, clashing, colors, from, to, onPress, below, locked, isLow = false } = props;
  const first = Math.min(from, ...blocks.map(({ start }) => Math.floor(start / 60)));
  const last = Math.max(to, ...blocks.map(({ end }) => Math.ceil(end / 60)));
  const days = [...new Set([...props.days, ...blocks.map(({ day }) => day)])].sort((a, b) => a - b);
  const isBelow = ({ section, day }: GridBlock) => section.sectionCode === below?.code && day === below.day;
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
      {days.map((day, column) => (
        <div class={blocks.some((block) => block.day === day) ? "day" : "day is-free"}>
          <h3>{dayName(day)}</h3>
          <ol>
            {lanesOf(blocks.filter((block) => block.day === day)).map(({ block, lane, lanes }) => (
              <Fragment key={`${block.section.sectionCode} ${block.start}`}>
                <li
                  class={classOf(block, clashing.has(`${block.section.sectionCode} ${day}`))}
                  data-code={block.section.sectionCode}
                  style={{
                    "--top": (block.start - first * 60) / 60,
                    "--length": (block.end - block.start) / 60,
                    "--lane": lane,
                    "--lanes": lanes,
                    "--course": `var(--course-${colors.get(courseOf(block.section)) ?? 1})`,
                  }}
                >
                  <BlockText block={block} isLocked={locked?.has(block.section.sectionCode)} />
                  {onPress && (
                    <Cover
                      block={block}
                      isFirst={blocks.find(({ section }) => section === block.section) === block}
                      isExpanded={isBelow(block)}
                      onPress={onPress}
                    />
                  )}
                </li>
                {isBelow(block) && (
                  <li
                    class={column * 2 < days.length ? "below" : "below is-right"}
                    style={{ "--top": (block.end - first * 60) / 60 }}
                  >
                    {below?.content}
                  </li>
                )}
              </Fragment>
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}

const classOf = ({ isGhost, isActive }: GridBlock, isClashing: boolean): string =>
  ["block", isClashing && "is-clashing", isGhost && "is-ghost", isActive && "is-active"].filter(Boolean).join(" ");

const clock = (minutes: number) => ({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
const timeOf = ({ start, end }: GridBlock): string => clockRange(clock(start), clock(end));

interface CoverProps {
  readonly block: GridBlock;
  /** True for the first block of a section, which the keyboard reaches. */
  readonly isFirst: boolean;
  readonly isExpanded: boolean;
  readonly onPress: (block: GridBlock) => void;
}

/** The whole block is a button. The keyboard reaches ghosts through the list of alternatives. */
function Cover({ block, isFirst, isExpanded, onPress }: CoverProps) {
  const { section, isGhost = false, facts } = block;
  const name = `${courseOf(section)} ${sectionName(section)}`;
  const words = isGhost ? `Take ${name}: ${timeOf(block)}, ${facts ?? ""}` : `Alternatives to ${name}`;
  return (
    <button
      type="button"
      class="cover"
      tabIndex={isFirst && !isGhost ? 0 : -1}
      aria-label={words}
      aria-expanded={isGhost ? undefined : isExpanded}
      title={words}
      onClick={() => onPress(block)}
    />
  );
}

const BlockText = ({ block, isLocked = false }: { block: GridBlock; isLocked?: boolean | undefined }) => (
  <div class="block-text">
    <strong>{courseOf(block.section)}</strong> {sectionName(block.section)}{" "}
    {isLocked && <span class="locked">locked</span>}
    <span class="when-where">
      {timeOf(block)} <span class="place">{block.places.map(placeText).join(", ")}</span> {block.facts}
    </span>
  </div>
);
