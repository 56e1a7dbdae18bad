/** Changes of sections: what is fetched, and the list of them. */
import type { FinalExam, Meeting } from "../../../../pipeline/contract/rows/section.ts";
import { DataTable } from "./data-table.tsx";
import { addressOf, sectionAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";
import { formatFinal, formatMeeting, moment, plural } from "../format.ts";
import { ShowMore } from "./show-more.tsx";
import { STATUS_NAMES } from "../charts/status-band.ts";

export type Change = ResponseBody<"Changes">[number];

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
] satisfies Change["kind"][];

type Query = Readonly<Record<string, string>>;

/** A list of changes that is also an event stream. */
export const changesAddress = (query: Query): string => addressOf("/changes", { ...query, kind: KINDS.join(",") });
/** The same changes for feed readers. */
export const feedAddress = (query: Query): string => `${changesAddress(query)}&format=atom`;

const MAX_LENGTH = 80;
const cut = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);

/** A value as people read it: whole sections are not shown, lists are joined. */
function valueText({ kind, field }: Change, value: string | null): string {
  if (kind === "added" || kind === "removed" || kind === "cancelled" || kind === "reinstated") return "";
  if (value === null || value === "") return "none";
  if (field === "status") return STATUS_NAMES[value] ?? value;
  if (field === "finalExam") return formatFinal(JSON.parse(value) as FinalExam);
  if (field !== "meetings" && field !== "instructors") return cut(value);
  const items = JSON.parse(value) as readonly (Meeting | string)[];
  const texts = items.map((item) => {
    if (typeof item === "string") return item;
    const { at, where } = formatMeeting(item);
    return `${at}, ${where}`;
  });
  return cut(texts.join("; "));
}

/** Names a change by its field if its kind says too little: the limit of a waitlist is not its length. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  numWaitlistCap: "waitlist limit",
  maxCapacity: "seats",
  numNewOnlyReserved: "seats for new students",
};
export const changeName = ({ kind, field }: Pick<Change, "kind" | "field">): string => FIELD_NAMES[field] ?? kind;

/** `seats 30 → 40`, `cancelled`. */
export function changeText(change: Change): string {
  const [previous, next] = [valueText(change, change.before), valueText(change, change.after)];
  return previous === next ? changeName(change) : `${changeName(change)} ${previous} → ${next}`;
}

export function ChangeList({ changes, term }: { changes: readonly Change[]; term: string }) {
  if (changes.length === 0) return <p class="quiet">No changes recorded in {term}.</p>;
  return (
    <ShowMore name="changes" of={changes.toReversed()} limit={8}>
      {(shown) => (
        <DataTable
          caption={`${plural(changes.length, "change")} in ${term}, newest first`}
          headers={["Seen", "Section", "Changed", "From", "To"]}
          rows={shown.map((change) => [
            <time dateTime={change.at} title={`Last checked before that: ${moment(change.since)}`}>
              {moment(change.at)}
            </time>,
            <a href={sectionAddress({ ...change, code: change.sectionCode })}>{change.sectionCode}</a>,
            changeName(change),
            valueText(change, change.before),
            valueText(change, change.after),
          ])}
          isNumber={() => false}
        />
      )}
    </ShowMore>
  );
}
