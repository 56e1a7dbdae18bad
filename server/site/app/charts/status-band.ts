/** The status of a section over time: runs of days with one status. */
import { STATUS_WORDS } from "../data/glossary.ts";

export interface StatusRun {
  readonly status: string;
  readonly from: Date;
  readonly to: Date;
}

const DAY_MS = 86_400_000;
/** A section that is cancelled keeps a status in the schedule, which no longer means anything. */
export const CANCELLED = "Cancelled";
/** In the order of the legend; any other status is `other`. */
export const STATUS_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATUS_WORDS).map(([status, [name]]) => [status, name]),
);
const COLORS: Readonly<Record<string, string>> = {
  OPEN: "var(--good)",
  Waitl: "var(--warn-line)",
  FULL: "var(--bad)",
  NewOnly: "var(--bar-b)",
};
export const colorOf = ({ status }: StatusRun): string => COLORS[status] ?? "var(--bar-other)";

/** `days` ascend. A status holds until the next day that was recorded, the last one until that day's end. */
export function statusRuns(days: readonly { readonly date: string; readonly status: string }[]): StatusRun[] {
  const starts = days.filter(({ status }, i) => status !== days[i - 1]?.status);
  const last = days.at(-1);
  if (!last) return [];
  const end = new Date(Date.parse(last.date) + DAY_MS);
  return starts.map(({ status, date }, i) => ({
    status,
    from: new Date(date),
    to: i + 1 < starts.length ? new Date((starts[i + 1] as typeof last).date) : end,
  }));
}
