/** When and where a section meets, and when its final is. */
import { DAYS } from "../../contract/vocabulary.ts";
import { weekdayOf } from "../days.ts";
import {
  BUILDINGS,
  DAYS_BY_TYPE,
  HALF_HOUR_STARTS,
  HOUR_STARTS,
  LENGTHS,
  ODD_STARTS,
  ONLINE_PLACE,
  ONLINE_SHARES,
  OTHER_DAYS,
  REMOTE_PLACE,
  ROOMS,
  ROOMS_PER_BUILDING,
  SECOND_MEETING_SHARE,
  SECOND_ROOM_SHARE,
  SUMMER_DAYS,
  SUMMER_LENGTHS,
  TIME_TBA_SHARES,
  UNKNOWN_DAYS_SHARE,
} from "../facts/meetings.ts";
import { FINAL_SHARES } from "../facts/sections.ts";
import { hashText, mix, pick, weighted } from "../random.ts";
import type { CampusMeeting, MeetingTime, Place, ScheduledFinal } from "./section.ts";
import type { CampusTerm } from "./term-calendar.ts";

const daysOf = new Map(Object.entries(DAYS_BY_TYPE).map(([type, table]) => [type, weighted(table)]));
const otherDays = weighted<string>(OTHER_DAYS);
const summerDays = weighted<string>(SUMMER_DAYS);
const summerLength = weighted<number>(SUMMER_LENGTHS);
const lengths = { one: weighted(LENGTHS.one), two: weighted(LENGTHS.two), more: weighted(LENGTHS.more) };
const halfHourStart = weighted<number>(HALF_HOUR_STARTS);
const hourStart = weighted<number>(HOUR_STARTS);
const oddStart = weighted<number>(ODD_STARTS);
const building = weighted(BUILDINGS);
const online: Place = ONLINE_PLACE;
const remote: Place = REMOTE_PLACE;
const unknownPlaces: readonly Place[] = [["TBA", ""]];

/** The rooms of every building. */
const rooms = new Map(
  BUILDINGS.map(([code]) => {
    const seed = hashText(code);
    const numbers = ROOMS.filter((_, i) => mix(seed, i) % ROOMS.length < ROOMS_PER_BUILDING);
    return [code, (numbers.length > 0 ? numbers : ROOMS.slice(0, 1)).map((room): Place => [code, room])];
  }),
);

/** Latest end of a meeting: everything is over at ten in the evening. */
const LATEST_END = 22 * 60;

export function planMeetings(type: string, term: CampusTerm, random: () => number): readonly CampusMeeting[] {
  if (random() < (TIME_TBA_SHARES[type] ?? 0.9)) return [unknownTime(term, random)];
  const first = planMeeting(type, term, random);
  if (random() >= SECOND_MEETING_SHARE) return [first];
  const second = planMeeting("Dis", term, random);
  return second.days === first.days && second.time?.start === first.time?.start ? [first] : [first, second];
}

/** The notations of "not known": days TBA or nothing; the place TBA, or online at any time. */
function unknownTime(term: CampusTerm, random: () => number): CampusMeeting {
  const x = random();
  const places = x < onlineShare(term) * 0.6 ? [online] : unknownPlaces;
  return { days: random() < 0.5 ? "TBA" : "", time: undefined, places };
}

function planMeeting(type: string, term: CampusTerm, random: () => number): CampusMeeting {
  const companion = type === "Dis";
  const days = term.summer && !companion ? summerDays(random()) : (daysOf.get(type) ?? otherDays)(random());
  const time = planTime(days, term.summer && !companion, random);
  return { days: random() < UNKNOWN_DAYS_SHARE ? "TBA" : days, time, places: planPlaces(term, random) };
}

function planTime(days: string, summer: boolean, random: () => number): MeetingTime {
  const count = days.match(/Su|Sa|Tu|Th|M|W|F/g)?.length ?? 1;
  const length = summer
    ? summerLength(random())
    : lengths[count === 1 ? "one" : count === 2 ? "two" : "more"](random());
  const x = random();
  const start = x < 0.02 ? oddStart(random()) : length === 80 ? halfHourStart(random()) : hourStart(random());
  // A meeting that would run into the night starts earlier, still on the hour.
  const fitting = start + length <= LATEST_END ? start : start - Math.ceil((start + length - LATEST_END) / 60) * 60;
  return { start: fitting, end: fitting + length };
}

function planPlaces(term: CampusTerm, random: () => number): readonly Place[] {
  if (random() < onlineShare(term)) return isRemote(term) && random() < 0.5 ? [remote] : [online];
  if (random() < 0.03) return unknownPlaces;
  const first = anyRoom(random);
  if (random() >= SECOND_ROOM_SHARE) return [first];
  const second = anyRoom(random);
  return second === first ? [first] : [first, second];
}

const anyRoom = (random: () => number): Place => pick(rooms.get(building(random())) as Place[], random());

/** Instruction was remote from Spring 2020 to Spring 2021. */
const isRemote = ({ code }: CampusTerm): boolean => code >= "2020-14" && code <= "2021-14";

function onlineShare(term: CampusTerm): number {
  if (isRemote(term)) return ONLINE_SHARES.remote;
  return term.code < "2020-14" ? ONLINE_SHARES.before : ONLINE_SHARES.since;
}

/** Start times of finals; each lasts two hours. */
const FINAL_STARTS = [480, 630, 810, 960] as const;

/** A final follows the section's hour: classes at the same hour have theirs together. */
export function planFinal(
  type: string,
  meetings: readonly CampusMeeting[],
  term: CampusTerm,
  random: () => number,
): ScheduledFinal | "TBA" | undefined {
  const [scheduled, tba] = FINAL_SHARES[type] ?? [0, 1];
  const x = random();
  const meeting = meetings[0];
  if (x >= scheduled + tba) return undefined;
  if (x >= scheduled || meeting?.time === undefined || meeting.days === "TBA") return "TBA";
  const slot = Math.floor(meeting.time.start / 30) + DAYS.findIndex((day) => meeting.days.startsWith(day)) * 5;
  const length = term.finalsEnd - term.finalsStart + 1;
  let day = term.finalsStart + (slot % length);
  if (weekdayOf(day) === 0) day += length > 1 ? 1 : 0;
  const start = FINAL_STARTS[(slot >> 1) % FINAL_STARTS.length] as number;
  const elsewhere = random();
  const places = elsewhere < 0.12 ? [anyRoom(random)] : elsewhere < 0.16 ? [anyRoom(random), anyRoom(random)] : [];
  return { start, end: start + 120, day, places };
}
