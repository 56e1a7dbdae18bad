/** Days of the week in whatever notation → `MWF`, `TuTh`, as the schedule writes them. */
import { type Day, DAYS } from "../../contract/vocabulary.ts";

const OWN = /^(?:Su|M|Tu|W|Th|F|Sa)+$/;

/** `TR`, `TTh`, `MTWRF`, `RSa`, `MSU`: one letter, or two of which the second is small. Before a `U`, `T` may be Tuesday's. */
const LETTERS: readonly (readonly [token: RegExp, day: Day])[] = [
  [/^Su/, "Su"],
  [/^Sa/, "Sa"],
  [/^Tu/, "Tu"],
  [/^Th/, "Th"],
  [/^M/, "M"],
  [/^T(?!U)/, "Tu"],
  [/^W/, "W"],
  [/^R/, "Th"],
  [/^F/, "F"],
  [/^S/, "Sa"],
  [/^U/, "Su"],
];

/** `Monday`, `Tues.`, `MO`, `tuth`, `mwf`: names and short forms, longer ones first, in any case. */
const NAMES: readonly (readonly [token: RegExp, day: Day])[] = [
  [/^su(?:n(?:days?)?)?/i, "Su"],
  [/^mo(?:n(?:days?)?)?/i, "M"],
  [/^tu(?:es?(?:days?)?)?/i, "Tu"],
  [/^we(?:d(?:nesdays?)?)?/i, "W"],
  [/^th(?:u(?:rs?(?:days?)?)?)?/i, "Th"],
  [/^fr(?:i(?:days?)?)?/i, "F"],
  [/^sa(?:t(?:urdays?)?)?/i, "Sa"],
  [/^m/i, "M"],
  [/^t/i, "Tu"],
  [/^w/i, "W"],
  [/^r/i, "Th"],
  [/^f/i, "F"],
  [/^u/i, "Su"],
];

/** What may stand between days. A hyphen may mean "to" as well as "and". */
const BETWEEN = /^(?:[\s.,;/&+]|and\b)+/i;

/** Undefined for a text that means no days, or different ones in two notations, such as `SU`: Sunday, or Saturday and Sunday. */
export function toDays(text: string): string | undefined {
  if (OWN.test(text)) return text;
  const letters = readAs(LETTERS, text);
  const readings = [letters && isInOrder(letters) ? letters : undefined, readAs(NAMES, text)];
  const found = new Set(readings.map((days) => days && inOrder(days).join("")).filter((days) => days !== undefined));
  return found.size === 1 ? [...found][0] : undefined;
}

const inOrder = (days: readonly Day[]): Day[] => days.toSorted((a, b) => DAYS.indexOf(a) - DAYS.indexOf(b));

/** Letters are written from Monday to Sunday, or from Sunday on: `FR` is Friday. */
function isInOrder(days: readonly Day[]): boolean {
  const [sunday, ...others] = inOrder(days);
  const orders = [inOrder(days), sunday === "Su" ? [...others, sunday] : []];
  return orders.some((order) => order.join("") === days.join(""));
}

function readAs(tokens: typeof NAMES, text: string): Day[] | undefined {
  const days: Day[] = [];
  let rest = text.replace(BETWEEN, "");
  while (rest !== "") {
    const [token, day] = tokens.find(([start]) => start.test(rest)) ?? [];
    if (token === undefined || day === undefined || days.includes(day)) return undefined;
    days.push(day);
    rest = rest.replace(token, "").replace(BETWEEN, "");
  }
  return days.length === 0 ? undefined : days;
}
