/** Enrollment over time, for one section at a time. */
import { axisY, dot, gridY, lineY, type PlotOptions, rect, text } from "@observablehq/plot";
import { useId, useState } from "preact/hooks";
import type { ResponseBody } from "../data/fetch-json.ts";
import { type Change, changeText } from "../parts/changes.tsx";
import { Chart } from "../parts/chart.tsx";
import { count, day, moment, plural } from "../format.ts";
import { CANCELLED, colorOf, STATUS_NAMES, statusRuns } from "./status-band.ts";
import type { SectionLine } from "../data/sections.ts";

export type EnrollmentRecord = ResponseBody<"EnrollmentHistory">[number];

interface Day {
  readonly date: string;
  readonly enrolled: number | undefined;
  readonly capacity: number | undefined;
  readonly waitlist: number | undefined;
  readonly status: string;
}

const LINES = [
  ["capacity", { stroke: "var(--quiet)", strokeWidth: 1.5, strokeDasharray: "5 4" }],
  ["enrolled", { stroke: "var(--strong)", strokeWidth: 2.5 }],
  ["waitlist", { stroke: "var(--bar-d)", strokeWidth: 2.5 }],
] as const;

const number = (text: string | undefined) => (text && /^\d+$/.test(text) ? Number(text) : undefined);
const formatCount = (value: number | undefined) => (value === undefined ? "–" : count(value));
const seats = ({ enrolled, capacity }: Day) => `${enrolled ?? "?"} of ${capacity ?? "?"}`;

/** `cancelledFrom`: the day from which on the section is cancelled. */
const daysOf = (
  { dates, totalEnrolledHistory, maxCapacityHistory, waitlistHistory, statusHistory }: EnrollmentRecord,
  cancelledFrom: string | undefined,
) =>
  dates.map((date, i): Day => ({
    date,
    enrolled: number(totalEnrolledHistory[i]),
    capacity: number(maxCapacityHistory[i]),
    waitlist: number(waitlistHistory[i]),
    status: cancelledFrom !== undefined && date >= cancelledFrom ? CANCELLED : (statusHistory[i] ?? ""),
  }));

/** Five digits; the record has a number. */
const codeOf = ({ sectionCode }: EnrollmentRecord): string => String(sectionCode).padStart(5, "0");

/** The first day where no change tells when it was cancelled. */
const cancellationDay = (changes: readonly Change[]): string =>
  changes.findLast(({ kind }) => kind === "cancelled")?.at.slice(0, 10) ?? "";

function optionsOf(days: readonly Day[], first: Day, last: Day, changes: readonly Change[]): PlotOptions {
  const most = Math.max(1, ...days.flatMap((day) => LINES.map(([field]) => day[field] ?? 0)));
  const end = { text: String, dy: 18 };
  return {
    x: { type: "utc", axis: null, insetLeft: 4, insetRight: 4 },
    // Below zero is the band of statuses, above the seats are the changes.
    y: { domain: [-0.12 * most, most * 1.16] },
    marks: [
      gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      axisY({ ticks: 5, tickSize: 0, label: null, color: "var(--quiet)" }),
      // A value holds until the next recorded day: steps, not slopes.
      ...LINES.map(([field, look]) =>
        lineY(
          days.filter((day) => day[field] !== undefined),
          { ...look, x: ({ date }: Day) => new Date(date), y: field, curve: "step-after", className: `line-${field}` },
        ),
      ),
      rect(statusRuns(days), {
        x1: "from",
        x2: "to",
        y1: -0.1 * most,
        y2: -0.03 * most,
        fill: colorOf,
        className: "band",
      }),
      dot(changes, {
        x: ({ at }: Change) => new Date(at),
        y: most * 1.1,
        symbol: "diamond",
        r: 4,
        fill: "var(--ink)",
        title: (change: Change) => `${moment(change.at)}: ${changeText(change)}`,
        className: "changes",
      }),
      text([day(first.date)], { ...end, frameAnchor: "bottom-left" }),
      text([day(last.date)], { ...end, frameAnchor: "bottom-right" }),
    ],
  };
}

/** Names the lines and states that the chart has. */
function Legend({ days, hasChanges }: { readonly days: readonly Day[]; readonly hasChanges: boolean }) {
  const lines = LINES.filter(([field]) => days.some((day) => day[field] !== undefined));
  const statuses = new Set(days.map(({ status }) => status));
  return (
    <div aria-hidden="true">
      <p class="legend">
        {lines.map(([field]) => (
          <span class={`key key-${field}`}>{field}</span>
        ))}
        {hasChanges && <span class="key key-change">change</span>}
      </p>
      <p class="legend">
        Status:
        {Object.entries(STATUS_NAMES)
          .filter(([status]) => statuses.has(status))
          .map(([status, name]) => (
            <span class={`key key-${status}`}>{name}</span>
          ))}
      </p>
    </div>
  );
}

/** The lines themselves show how many seats are taken. */
const isInLines = ({ kind }: Change): boolean => kind === "enrolled" || kind === "waitlist";

interface CurveProps {
  readonly record: EnrollmentRecord;
  readonly isCancelled: boolean;
  /** The changes of all sections of the term. */
  readonly changes: readonly Change[];
  /** The address of the records of all sections. */
  readonly address: string;
}

function Curve({ record, isCancelled, changes, address }: CurveProps) {
  const code = codeOf(record);
  const ownChanges = changes.filter(({ sectionCode }) => sectionCode === code);
  const days = daysOf(record, isCancelled ? cancellationDay(ownChanges) : undefined);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return <p class="quiet">No enrollment of this section has been recorded.</p>;
  if (first === last)
    return (
      <p>
        Recorded on one day so far, {day(first.date)}: {seats(first)} seats taken. Every day adds a point.
      </p>
    );
  const marked = ownChanges.filter((change) => !isInLines(change));
  return (
    <Chart
      title={`Section ${code}${isCancelled ? ", cancelled" : ""}`}
      summary={`${plural(days.length, "day")} recorded: ${seats(first)} seats on ${day(first.date)}, ${seats(last)} on ${day(last.date)}.`}
      options={optionsOf(days, first, last, marked)}
      address={`${address}&sectionCode=${code}`}
      legend={<Legend days={days} hasChanges={marked.length > 0} />}
      headers={["Day", "Enrolled", "Capacity", "Waitlist", "Status"]}
      rows={days.map(({ date, enrolled, capacity, waitlist, status }) => [
        day(date),
        formatCount(enrolled),
        formatCount(capacity),
        formatCount(waitlist),
        STATUS_NAMES[status] ?? status,
      ])}
    />
  );
}

interface EnrollmentCurvesProps extends Pick<CurveProps, "changes" | "address"> {
  readonly records: readonly EnrollmentRecord[];
  readonly sections: readonly SectionLine[];
  /** Section code; by default the section with the most days that is not cancelled. */
  readonly chosen: string | undefined;
}

export function EnrollmentCurves({ records, sections, chosen, ...shared }: EnrollmentCurvesProps) {
  const id = useId();
  const cancelled = new Set(sections.filter(({ isCancelled }) => isCancelled).map(({ sectionCode }) => sectionCode));
  function rank(record: EnrollmentRecord): number {
    const code = codeOf(record);
    if (code === chosen) return Infinity;
    return cancelled.has(code) ? 0 : record.dates.length;
  }
  const [first] = records.toSorted((a, b) => rank(b) - rank(a));
  const [code, setCode] = useState(first && codeOf(first));
  const record = records.find((candidate) => codeOf(candidate) === code);
  if (!record) return <p class="quiet">No enrollment of this term has been recorded yet.</p>;
  return (
    <div>
      {records.length > 1 && (
        <p class="choice">
          <label for={id}>Section </label>
          <select id={id} value={code} onChange={({ currentTarget }) => setCode(currentTarget.value)}>
            {records.map((candidate) => (
              <option value={codeOf(candidate)}>
                {codeOf(candidate)} {candidate.sectionType} {candidate.sectionNum}
                {cancelled.has(codeOf(candidate)) && ", cancelled"}
              </option>
            ))}
          </select>
        </p>
      )}
      <Curve record={record} isCancelled={cancelled.has(codeOf(record))} {...shared} />
    </div>
  );
}
