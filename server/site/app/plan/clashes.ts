/** When the sections of a plan meet, where they overlap, and where there is hardly time to walk. */
import type { FinalExam, Meeting, Time } from "../../../../pipeline/contract/rows/section.ts";

export const DAYS = ["Su", "M", "Tu", "W", "Th", "F", "Sa"] as const;
const DAY_MINUTES = 1440;
/** Minutes that are enough to walk from one building to another. */
const WALK_MINUTES = 10;

/** The fields of a section that are compared. */
export interface Planned {
  readonly sectionCode: string;
  readonly deptCode: string;
  readonly courseNumber: string;
  readonly meetings: readonly Meeting[];
  readonly finalExam: FinalExam;
}

/** A meeting on a day, or a final. */
export interface Block<S extends Planned = Planned> {
  readonly section: S;
  /** A day of `DAYS` by number, or the number of a date since 1970. */
  readonly day: number;
  /** Minutes since midnight; the end may be after the next midnight. */
  readonly start: number;
  readonly end: number;
  readonly places: readonly string[];
}

const minutes = ({ hour, minute }: Time): number => hour * 60 + minute;
const real = (places: readonly string[] | null) => (places ?? []).filter((place) => place !== "TBA");

/** Returns the blocks of an ordinary week; a meeting without a time has none. */
export const weekBlocks = <S extends Planned>(sections: readonly S[]): Block<S>[] =>
  sections.flatMap((section) =>
    section.meetings.flatMap(({ timeIsTBA, days, startTime, endTime, bldg }) => {
      if (timeIsTBA || !startTime || !endTime) return [];
      const [start, end] = [minutes(startTime), minutes(endTime)];
      if (end <= start) return [];
      const names = new Set((days ?? "").match(/Su|M|Tu|W|Th|F|Sa/g));
      return [...names].map((name) => ({
        section,
        day: DAYS.indexOf(name as (typeof DAYS)[number]),
        start,
        end,
        places: real(bldg),
      }));
    }),
  );

/** True if a meeting has a time, with or without days. */
export const hasTime = ({ meetings }: Planned): boolean =>
  meetings.some(({ timeIsTBA, startTime, endTime }) => !timeIsTBA && startTime && endTime);

/** Finals with a date and a time. `year` is that of the term. */
export const finalBlocks = <S extends Planned>(sections: readonly S[], year: string): Block<S>[] =>
  sections.flatMap((section) => {
    const { examStatus, month, day, startTime, endTime, bldg } = section.finalExam;
    if (examStatus !== "SCHEDULED_FINAL" || month === null || day === null || !startTime || !endTime) return [];
    const [start, end] = [minutes(startTime), minutes(endTime)];
    if (end <= start) return [];
    return [{ section, day: Date.UTC(Number(year), month, day) / 86_400_000, start, end, places: real(bldg) }];
  });

const startOf = ({ day, start }: Block): number => day * DAY_MINUTES + start;
const endOf = ({ day, end }: Block): number => day * DAY_MINUTES + end;

/** Minutes that two blocks have in common; none or fewer where one ends before the other begins. */
export const overlapOf = (a: Block, b: Block): number =>
  Math.min(endOf(a), endOf(b)) - Math.max(startOf(a), startOf(b));

/** Two sections at the same time. */
export interface Clash<S extends Planned = Planned> {
  readonly sections: readonly [S, S];
  /** In ascending order. */
  readonly days: readonly number[];
  /** The longest overlap on one of the days. */
  readonly minutes: number;
}

/** Each pair of sections once. Adjacent times do not clash. */
export function clashesOf<S extends Planned>(blocks: readonly Block<S>[]): Clash<S>[] {
  const clashes = new Map<string, { sections: [S, S]; days: Set<number>; minutes: number }>();
  const inOrder = blocks.toSorted((a, b) => startOf(a) - startOf(b));
  inOrder.forEach((a, i) => {
    for (const b of inOrder.slice(i + 1)) {
      const overlap = overlapOf(a, b);
      if (overlap <= 0 || a.section.sectionCode === b.section.sectionCode) continue;
      const key = [a.section.sectionCode, b.section.sectionCode].sort().join();
      const clash = clashes.get(key) ?? { sections: [a.section, b.section], days: new Set<number>(), minutes: 0 };
      clash.days.add(b.day);
      clash.minutes = Math.max(clash.minutes, overlap);
      clashes.set(key, clash);
    }
  });
  return [...clashes.values()].map((clash) => ({ ...clash, days: [...clash.days].sort((a, b) => a - b) }));
}

/** Sections of one course share their final. */
export const finalClashesOf = <S extends Planned>(blocks: readonly Block<S>[]): Clash<S>[] =>
  clashesOf(blocks).filter(({ sections: [a, b] }) => a.deptCode !== b.deptCode || a.courseNumber !== b.courseNumber);

/** True if neither the meetings nor the final of a section overlap those of the others. `year` is that of the term. */
export function fits<S extends Planned>(section: S, others: readonly S[], year: string): boolean {
  const all = [...others.filter(({ sectionCode }) => sectionCode !== section.sectionCode), section];
  return [...clashesOf(weekBlocks(all)), ...finalClashesOf(finalBlocks(all, year))].every(
    (clash) => !clash.sections.includes(section),
  );
}

/** From one meeting straight to another in another building. */
export interface Walk<S extends Planned = Planned> {
  readonly from: Block<S>;
  readonly to: Block<S>;
  readonly minutes: number;
  readonly days: readonly number[];
}

/** `HIB 100` and `HIB 200` are one building; a place without a room, such as `ON LINE`, is none. */
const buildings = ({ places }: Block): string[] =>
  places.filter((place) => /\d/.test(place)).map((place) => place.split(" ")[0] ?? "");

function isFar(a: Block, b: Block): boolean {
  const [some, others] = [buildings(a), buildings(b)];
  return some.length > 0 && others.length > 0 && !some.some((building) => others.includes(building));
}

/** Gaps under ten minutes between different buildings; the same walk on several days once. */
export function walksOf<S extends Planned>(blocks: readonly Block<S>[]): Walk<S>[] {
  const walks = new Map<string, Walk<S>>();
  const inOrder = blocks.toSorted((a, b) => startOf(a) - startOf(b));
  inOrder.forEach((previous, i) => {
    for (const after of inOrder.slice(i + 1)) {
      const gap = startOf(after) - endOf(previous);
      if (gap < 0 || gap >= WALK_MINUTES || !isFar(previous, after)) continue;
      const key = [previous, after].map(({ section, places }) => [section.sectionCode, places].join()).join() + gap;
      const days = [...(walks.get(key)?.days ?? []), after.day];
      walks.set(key, { from: previous, to: after, minutes: gap, days });
    }
  });
  return [...walks.values()];
}

/** Blocks of one day beside each other where they overlap: the lane of each, and how many lanes its group has. */
export function lanesOf<B extends Block>(blocks: readonly B[]): { block: B; lane: number; lanes: number }[] {
  const placed: { block: B; lane: number; lanes: number }[] = [];
  let group: typeof placed = [];
  let groupEnd = -Infinity;
  for (const block of blocks.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (block.start >= groupEnd) group = [];
    const taken = new Set(group.filter(({ block: { end } }) => end > block.start).map(({ lane }) => lane));
    let lane = 0;
    while (taken.has(lane)) lane++;
    group.push({ block, lane, lanes: 1 });
    placed.push(group.at(-1) as (typeof placed)[number]);
    const lanes = Math.max(...group.map((entry) => entry.lane)) + 1;
    for (const entry of group) entry.lanes = lanes;
    groupEnd = Math.max(groupEnd, block.end);
  }
  return placed;
}

/** `12`, or `14–24` where a section has a range of units. */
export function totalUnits(units: readonly string[]): string {
  const ranges = units.map((text) => text.split("-").map(Number));
  const [low, high] = [0, -1].map((i) => Number(ranges.reduce((sum, range) => sum + (range.at(i) || 0), 0).toFixed(2)));
  return low === high ? `${low}` : `${low}–${high}`;
}
