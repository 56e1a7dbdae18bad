/** The predicates behind the search form's fields. */
import { courseDigits } from "../../contract/vocabulary.ts";
import type { SectionState } from "../sections/section-state.ts";
import type { CampusSection } from "../sections/section.ts";

/** A section and its state on that day. */
export interface SectionView {
  readonly section: CampusSection;
  readonly state: SectionState;
}

type Test = (view: SectionView) => boolean;

/**
 * Matches a part of the last name; with a comma, the beginning of the whole name, so that `SMITH,` is exactly that last
 * name.
 */
export function instructorTest(text: string): Test {
  const wanted = text.toUpperCase().replace(/,\s*/, ",");
  const matches = (name: string): boolean => {
    const spelled = name.toUpperCase().replace(/,\s*/, ",");
    return wanted.includes(",") ? spelled.startsWith(wanted) : (spelled.split(",")[0] as string).includes(wanted);
  };
  return ({ state }) => state.instructors.some(matches);
}

/** `H2A, 5, 10-20`: compares a single number as text, a range by digits. */
export function courseNumberTest(text: string): Test {
  const items = text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const single = new Set(items.filter((item) => !item.includes("-")));
  const ranges = items
    .filter((item) => item.includes("-"))
    .map((item) => item.split("-").map(courseDigits) as [number, number]);
  return ({ section }) => {
    const { number, digits } = section.offering.course;
    return single.has(number.toUpperCase()) || ranges.some(([low, high]) => digits >= low && digits <= high);
  };
}

const DIVISIONS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["0xx", [0, 99]],
  ["1xx", [100, 199]],
  ["2xx", [200, Number.MAX_SAFE_INTEGER]],
]);

export function divisionTest(text: string): Test {
  const bounds = DIVISIONS.get(text.toLowerCase());
  return ({ section }) => {
    const { digits } = section.offering.course;
    return bounds !== undefined && digits >= bounds[0] && digits <= bounds[1];
  };
}

export function unitsTest(text: string): Test {
  const wanted = Number(text);
  return ({ section: { units } }) =>
    text === "VAR" ? units.includes("-") : !units.includes("-") && Number(units) === wanted;
}

const DAY_LETTERS = /Su|Sa|Th|Tu|M|T|W|F/g;
/** Reads greedily, so that `TuTh` is two days; `T` alone is Tuesday. */
const daysIn = (text: string): string[] => (text.match(DAY_LETTERS) ?? []).map((day) => (day === "T" ? "Tu" : day));

/** True when the section meets on all requested days. */
export function daysTest(text: string): Test {
  const wanted = daysIn(text);
  return ({ section }) => {
    const days = new Set(
      section.meetings.flatMap((meeting) => (meeting.time && meeting.days !== "TBA" ? daysIn(meeting.days) : [])),
    );
    return wanted.length > 0 && wanted.every((day) => days.has(day));
  };
}

/** `9:00am`, `1:00PM` → minutes after midnight; anything else restricts nothing. */
export function readClock(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d\d)\s*([ap])m$/i.exec(text);
  if (!match) return undefined;
  return ((Number(match[1]) % 12) + (match[3]?.toLowerCase() === "p" ? 12 : 0)) * 60 + Number(match[2]);
}

/** A section whose time is TBA never satisfies a search by time. */
export const earliestTest =
  (start: number): Test =>
  ({ section }) =>
    section.meetings.every(({ time }) => time !== undefined && time.start >= start);

export const latestTest =
  (end: number): Test =>
  ({ section }) =>
    section.meetings.every(({ time }) => time !== undefined && time.end <= end);

/** `300`, `=300`, `>256`, `<19` */
export function capacityTest(text: string): Test {
  const [, operator = "", digits = "NaN"] = /^([<>=]?)\s*(\d+)$/.exec(text) ?? [];
  const limit = Number(digits);
  if (operator === ">") return ({ state }) => state.capacity > limit;
  if (operator === "<") return ({ state }) => state.capacity < limit;
  return ({ state }) => state.capacity === limit;
}

/** Options as the form words them; the last value has been spelled with a capital and a small e. */
export function fullTest(option: string): Test {
  switch (option.toLowerCase()) {
    case "skipfull":
      return ({ state }) => state.status !== "FULL" && state.status !== "Waitl";
    case "skipfullwaitlist":
      return ({ state }) => state.status !== "FULL";
    case "fullonly":
      return ({ state }) => state.status === "FULL" || state.status === "Waitl";
    case "overenrolled":
      return ({ state }) => state.enrolled > state.capacity;
    default:
      return () => true;
  }
}

export const placeTest =
  (building: string, room: string): Test =>
  ({ section }) =>
    section.meetings.some(({ places }) =>
      places.some((place) => place[0] === building && (room === "" || place[1] === room)),
    );

export const isOnline = ({ meetings }: CampusSection): boolean =>
  meetings.every(({ places }) => places.every(([building]) => building === "ON" || building === "VRTL"));
