/** Converts days of the week in any notation to `MWF`, `TuTh`, the schedule's form. */
import { type Day, DAYS } from "../../contract/vocabulary.ts";

const OWN = /^(?:Su|M|Tu|W|Th|F|Sa)+$/;

interface Notation {
  /** Matches a day at the beginning of a text. */
  readonly token: RegExp;
  readonly days: Readonly<Record<string, Day>>;
}

/**
 * `TR`, `TTh`, `MTWRF`, `RSa`, `MSU`: a letter, or two of which the second is small. Before a `U`, `T` may be
 * Tuesday's.
 */
const LETTERS: Notation = {
  token: /^(?:S[ua]|T[uh]|[MWRFSU]|T(?!U))/,
  days: { Su: "Su", Sa: "Sa", Tu: "Tu", Th: "Th", M: "M", T: "Tu", W: "W", R: "Th", F: "F", S: "Sa", U: "Su" },
};

/** `Monday`, `Tues.`, `MO`, `tuth`, `mwf`: names and short forms in any case, by their first two letters. */
const NAMES: Notation = {
  token:
    /^(?:su(?:n(?:days?)?)?|mo(?:n(?:days?)?)?|tu(?:es?(?:days?)?)?|we(?:d(?:nesdays?)?)?|th(?:u(?:rs?(?:days?)?)?)?|fr(?:i(?:days?)?)?|sa(?:t(?:urdays?)?)?|[mtwrfu])/i,
  days: {
    ...{ su: "Su", mo: "M", tu: "Tu", we: "W", th: "Th", fr: "F", sa: "Sa" },
    ...{ m: "M", t: "Tu", w: "W", r: "Th", f: "F", u: "Su" },
  },
};

/** Separators between days. A hyphen may mean "to" as well as "and". */
const BETWEEN = /^(?:[\s.,;/&+]|and\b)+/i;

/**
 * Returns undefined for a text that means no days, or different days in two notations, such as `SU`: Sunday, or
 * Saturday and Sunday.
 */
export function toDays(text: string): string | undefined {
  if (OWN.test(text)) return text;
  const letters = readAs(LETTERS, text);
  const readings = [letters && isInOrder(letters) ? letters : undefined, readAs(NAMES, text)];
  const meanings = new Set(readings.map((days) => days && inOrder(days).join("")).filter((days) => days !== undefined));
  return meanings.size === 1 ? [...meanings][0] : undefined;
}

const inOrder = (days: readonly Day[]): Day[] => days.toSorted((a, b) => DAYS.indexOf(a) - DAYS.indexOf(b));

/** Letters are written from Monday to Sunday, or from Sunday on: `FR` is Friday. */
function isInOrder(days: readonly Day[]): boolean {
  const [sunday, ...others] = inOrder(days);
  const orders = [inOrder(days), sunday === "Su" ? [...others, sunday] : []];
  return orders.some((order) => order.join("") === days.join(""));
}

function readAs({ token, days }: Notation, text: string): Day[] | undefined {
  const parsed: Day[] = [];
  let rest = text.replace(BETWEEN, "");
  while (rest !== "") {
    const [start = ""] = token.exec(rest) ?? [];
    const day = days[start] ?? days[start.slice(0, 2).toLowerCase()];
    if (day === undefined || parsed.includes(day)) return undefined;
    parsed.push(day);
    rest = rest.slice(start.length).replace(BETWEEN, "");
  }
  return parsed.length === 0 ? undefined : parsed;
}
