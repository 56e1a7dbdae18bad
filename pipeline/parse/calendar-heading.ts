/**
 * Headings of the calendar's columns and tables: `Fall 2026`, `Winter ’27`, `Summer Session II`, `10-week Summer 2027`.
 */
import type { Quarter } from "../contract/vocabulary.ts";

export interface TermHeading {
  readonly quarter: Quarter;
  /** Undefined if the heading has none, or an academic year. */
  readonly year?: string;
}

const NAME =
  /^(?:(?:19|20)\d\d\s+)?(?:(?<ten>(?:10|ten)[\s-]*(?:wk|weeks?)\s+summer)|(?<name>fall|autumn|winter|spring|summer|session|ss(?=\W|\d))(?:\s+(?:quarter|sessions?))?[\s-]*(?<session>(?:10|ten)[\s-]*(?:wk|weeks?)|(?:ii?|[12])(?![\w]))?)(?![a-z])/i;
/** The text that may follow the name; a remark after a dash or in brackets is ignored. */
const REST = /^(?:[\s,.*†‡]|['’]?(?<!\d)\d{2,4}|quarter|term|sessions?|semester)*(?:[-–—(].*)?$/i;

/**
 * The term that a heading names; undefined for any other text, such as a label that begins with the name of a quarter.
 */
export function termOfHeading(text: string): TermHeading | undefined {
  const match = NAME.exec(text);
  if (!match || !REST.test(text.slice(match[0].length))) return undefined;
  const { ten, name = "", session = "" } = match.groups ?? {};
  const quarter = ten ? "Summer10wk" : quarterOf(name.toLowerCase(), session.toLowerCase());
  if (!quarter) return undefined;
  if (academicYearIn(text) !== undefined) return { quarter };
  const [year] = /(?:19|20)\d\d/.exec(text) ?? [];
  const [, short] = /(?:['’]|\s)(\d\d)\s*$/.exec(text) ?? [];
  return { quarter, ...(year || short ? { year: year ?? `20${short}` } : {}) };
}

function quarterOf(name: string, session: string): Quarter | undefined {
  switch (name) {
    case "fall":
    case "autumn":
      return "Fall";
    case "winter":
      return "Winter";
    case "spring":
      return "Spring";
    default:
      if (/^(?:10|ten)/.test(session)) return "Summer10wk";
      if (session === "") return undefined;
      return session === "i" || session === "1" ? "Summer1" : "Summer2";
  }
}

/** The first year of `2023-2024` or `2023-24`: an academic year, not a longer span. */
export function academicYearIn(text: string): number | undefined {
  const match = /\b(\d{4})\s*[-–—]\s*(\d{4}|\d{2})\b/.exec(text);
  const first = Number(match?.[1]);
  return match && (first + 1) % 100 === Number(match[2]) % 100 ? first : undefined;
}
