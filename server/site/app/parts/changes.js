import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { DataTable } from "./data-table.tsx";
import { addressOf, fetchJson } from "./fetch-json.ts";
import { formatMeeting, moment, plural } from "./format.ts";
import { ShowMore } from "./show-more.tsx";
import { STATUS_NAMES } from "./charts/status-band.ts";
/** All but `other`: how often a section was asked for moves all the time. */
const KINDS = [
  "added",
  "removed",
  "cancelled",
  "reinstated",
  "status",
  "enrolled",
  "waitlist",
  "capacity",
  "instructors",
  "meetings",
  "final",
  "restrictions",
  "comment",
];
/** A list of changes that is also an event stream. */
export const changesAddress = (query) => addressOf("/changes", { ...query, kind: KINDS.join(",") });
/** In the order in which they happened; undefined where the server has no changes. */
export const fetchChanges = (address, signal) =>
  fetchJson(address, signal).catch((error) => {
    if (signal.aborted) throw error;
    return undefined;
  });
const MAX_LENGTH = 80;
const cut = (text) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
/** A value as people read it: whole sections are not shown, lists are joined. */
function valueText({ kind, field }, value) {
  if (kind === "added" || kind === "removed" || kind === "cancelled" || kind === "reinstated") return "";
  if (value === null || value === "") return "none";
  if (field === "status") return STATUS_NAMES[value] ?? value;
  if (field !== "meetings" && field !== "instructors") return cut(value);
  const items = JSON.parse(value);
  const texts = items.map((item) => {
    if (typeof item === "string") return item;
    const { at, where } = formatMeeting(item);
    return `${at}, ${where}`;
  });
  return cut(texts.join("; "));
}
/** `capacity 30 → 40`, `cancelled`. */
export function changeText(change) {
  const [before, after] = [valueText(change, change.before), valueText(change, change.after)];
  return before === after ? change.kind : `${change.kind} ${before} → ${after}`;
}
export function ChangeList({ changes, term }) {
  if (changes.length === 0)
    return _jsxs("p", {
      class: "quiet",
      children: ["No change of seats, times, places or people has been recorded in ", term, "."],
    });
  return _jsx(ShowMore, {
    of: changes.toReversed(),
    limit: 8,
    children: (shown) =>
      _jsx(DataTable, {
        caption: `${plural(changes.length, "change")} in ${term}, newest first`,
        headers: ["Seen", "Section", "What", "Before", "After"],
        rows: shown.map((change) => [
          _jsx("time", {
            dateTime: change.at,
            title: `Unchanged when looked at ${moment(change.since)}`,
            children: moment(change.at),
          }),
          change.sectionCode,
          change.kind,
          valueText(change, change.before),
          valueText(change, change.after),
        ]),
        isNumber: () => false,
      }),
  });
}
