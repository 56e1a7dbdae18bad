/** Reads a text such as `open ge 4 tuth afternoon` as filters. */
import type { Filters } from "./filters.ts";

type Rule = readonly [pattern: RegExp, read: (...groups: string[]) => Filters | undefined];

const ROMAN: Readonly<Record<string, string>> = {
  i: "1",
  ii: "2",
  iii: "3",
  iv: "4",
  v: "5",
  vi: "6",
  vii: "7",
  viii: "8",
};

/** Categories 1 and 5 are two each: `GE-1` names neither. */
function readGe(_all: string, number: string, letter = ""): Filters | undefined {
  const digit = ROMAN[number.toLowerCase()] ?? number;
  const isTwo = digit === "1" || digit === "5";
  return isTwo === (letter !== "") ? { ge: `GE-${digit}${letter.toUpperCase()}` } : undefined;
}

const DAY_ORDER = ["Su", "M", "Tu", "W", "Th", "F", "Sa"] as const;
/** Sun and Sat could be a name and a test. */
const DAY =
  "sundays?|mon(?:days?)?|tu(?:es?(?:days?)?)?|wed(?:nesdays?)?|th(?:u(?:r(?:s(?:days?)?)?)?)?|fri(?:days?)?|saturdays?";
/** `Tuesday`, `tues` and `TU` → `Tu`. */
const dayOf = (text: string) =>
  DAY_ORDER.findLast((day) => text.toLowerCase().startsWith(day.toLowerCase()) || text === day);

/** In the order of the week, without repetition. */
function readDays(parts: readonly string[]): Filters {
  const days = new Set(parts.map(dayOf));
  return { days: DAY_ORDER.filter((day) => days.has(day)).join("") };
}

const lettersIn = (text: string): string[] => text.match(/su|m|tu|w|th|f|sa/gi) ?? [];

/** `9`, `9:30`, `2pm` and `noon` as `09:00` …; without am or pm, 1 to 7 are hours of the afternoon. */
function clock(text: string): string {
  if (text.toLowerCase() === "noon") return "12:00";
  const [, digits = "", minutes = "00", half] = /^(\d{1,2})(?::(\d\d))?\s*([ap])?/i.exec(text) ?? [];
  const hour = Number(digits);
  const isAfternoon = half === undefined ? hour < 8 : half.toLowerCase() === "p";
  const onClock = half === undefined && hour >= 12 ? hour : (hour % 12) + (isAfternoon ? 12 : 0);
  return `${String(onClock).padStart(2, "0")}:${minutes}`;
}
const TIME = String.raw`(noon|(?:1?\d|2[0-3])(?::[0-5]\d)?(?:\s*[ap]\.?m\b\.?)?)`;

/** A rule of these is enough to understand a text as filters. */
const RULES: readonly Rule[] = [
  [/\bge[\s-]*(viii|vii|vi|iv|v|iii|ii|i|[1-8])\s?([ab])?\b/i, readGe],
  // As the schedule writes days, in any case where that is no other word; and TTh.
  [/\btth\b/i, () => ({ days: "TuTh" })],
  [/\b(?:m|tu|w|th|f){2,}\b/i, (all) => readDays(lettersIn(all))],
  [/\b(?:Su|M|Tu|W|Th|F|Sa){2,}\b/, (all) => readDays(lettersIn(all))],
  [
    new RegExp(String.raw`\b(?:${DAY})(?:(?:\s*,\s*(?:and\s+)?|\s*[/&+]\s*|\s+and\s+|\s+)(?:${DAY}))*\b`, "i"),
    (all) => readDays(all.split(/[^a-z]+/i).filter((word) => word !== "and")),
  ],
  [
    new RegExp(String.raw`\b(?:between|from)\s+${TIME}\s*(?:and|to|until|-|–)\s*${TIME}`, "i"),
    (_all, from, to) => ({ startTime: clock(from), endTime: clock(to) }),
  ],
  // `10-11am`, but not `3-4 units`.
  [
    new RegExp(String.raw`\b${TIME}\s*[-–]\s*${TIME}(?![\d:]|\s*units?\b)`, "i"),
    (_all, from, to) => ({ startTime: clock(from), endTime: clock(to) }),
  ],
  [new RegExp(String.raw`\b(?:after|from|since)\s+${TIME}`, "i"), (_all, time) => ({ startTime: clock(time) })],
  [new RegExp(String.raw`\b(?:before|until|by)\s+${TIME}`, "i"), (_all, time) => ({ endTime: clock(time) })],
  [/\bmornings?\b/i, () => ({ endTime: "12:00" })],
  [/\bafternoons?\b/i, () => ({ startTime: "12:00" })],
  [/\bevenings?\b/i, () => ({ startTime: "17:00" })],
  [/\b(\d{1,2})[\s-]*units?\b/i, (_all, units) => ({ units })],
  [/\blower[\s-]*div(?:ision)?\b/i, () => ({ division: "LowerDiv" })],
  [/\bupper[\s-]*div(?:ision)?\b/i, () => ({ division: "UpperDiv" })],
  [/\b(?:no|without) restrictions?\b/i, () => ({ noRestriction: "true" })],
  [/\bfits? (?:in |into )?my plan\b/i, () => ({ fitsPlan: "true" })],
  [
    /\b(?:what )?(?:can i|i can) (?:still )?take\b/i,
    () => ({ fullCourses: "SkipFull", fitsPlan: "true", prerequisites: "true" }),
  ],
  [/\b(?:open|available|free)(?: seats?)?\b/i, () => ({ fullCourses: "SkipFull" })],
  [/\bonline\b/i, () => ({ building: "ON" })],
];

/** Words that are part of many titles: filters only beside others. */
const WEAK_RULES: readonly Rule[] = [
  [/\blectures?\b|\blec\b/i, () => ({ sectionType: "Lec" })],
  [/\bdiscussions?\b|\bdis\b/i, () => ({ sectionType: "Dis" })],
  [/\blab(?:oratorie|oratory)?s?\b/i, () => ({ sectionType: "Lab" })],
  [/\bseminars?\b|\bsem\b/i, () => ({ sectionType: "Sem" })],
  [/\bgrad(?:uate)?\b/i, () => ({ division: "Graduate" })],
  [/\b(?:seats?|class(?:es)?|courses?|sections?|on|in|at|with|and|that|are|the)\b/gi, () => ({})],
];

export interface ReadText {
  readonly filters: Filters;
  /** The text that no rule reads: perhaps a department, a course or a name. */
  readonly rest: string;
}

function apply(rules: readonly Rule[], text: string): ReadText {
  let [rest, filters]: [string, Filters] = [text, {}];
  for (const [pattern, read] of rules)
    rest = rest.replace(pattern, (...parts: string[]) => {
      const meant = read(...parts.slice(0, 3));
      if (!meant) return parts[0] ?? "";
      filters = { ...meant, ...filters };
      return " ";
    });
  return { filters, rest: rest.replaceAll(/\s+/g, " ").replaceAll(/^[\s,;]+|[\s,;]+$/g, "") };
}

/** No filters where the text has no words of days, hours, categories, units, levels or seats. */
export function readText(text: string): ReadText {
  const { filters, rest } = apply(RULES, text);
  if (Object.keys(filters).length === 0) return { filters, rest: text.trim() };
  const weak = apply(WEAK_RULES, rest);
  return { filters: { ...weak.filters, ...filters }, rest: weak.rest };
}
