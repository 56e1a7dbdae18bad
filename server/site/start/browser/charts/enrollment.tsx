/** Enrollment over time, for one section at a time. */
import { axisY, dot, gridY, lineY, type PlotOptions, rect, text } from "@observablehq/plot";
import { useId, useState } from "preact/hooks";
import type { ResponseBody } from "../fetch-json.ts";
import { type Change, changeText } from "../changes.tsx";
import { Chart } from "./chart.tsx";
import { count, day, moment, plural } from "../format.ts";
import { colorOf, STATUS_NAMES, statusRuns } from "./status-band.ts";

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

const daysOf = ({
  dates,
  totalEnrolledHistory,
  maxCapacityHistory,
  waitlistHistory,
  statusHistory,
}: EnrollmentRecord) =>
  dates.map((date, i): Day => ({
    date,
    enrolled: number(totalEnrolledHistory[i]),
    capacity: number(maxCapacityHistory[i]),
    waitlist: number(waitlistHistory[i]),
    status: statusHistory[i] ?? "",
  }));

function optionsOf(days: readonly Day[], first: Day, last: Day, changes: readonly Change[]): PlotOptions {
  const most = Math.max(1, ...days.flatMap((one) => LINES.map(([field]) => one[field] ?? 0)));
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
          days.filter((one) => one[field] !== undefined),
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

const LEGEND = (
  <div aria-hidden="true">
    <p class="legend">
      {LINES.map(([field]) => (
        <span class={`key key-${field}`}>{field}</span>
      ))}
      <span class="key key-change">change</span>
    </p>
    <p class="legend">
      Status:
      {Object.entries(STATUS_NAMES).map(([status, name]) => (
        <span class={`key key-${status}`}>{name}</span>
      ))}
    </p>
  </div>
);

interface CurveProps {
  readonly record: EnrollmentRecord;
  /** Of all sections of the term. */
  readonly changes: readonly Change[];
  /** Of the records of all sections. */
  readonly address: string;
}

function Curve({ record, changes, address }: CurveProps) {
  const code = String(record.sectionCode).padStart(5, "0");
  const days = daysOf(record);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return <p class="quiet">No enrollment of this section has been recorded.</p>;
  if (first === last)
    return (
      <p>
        Recorded on one day so far, {day(first.date)}: {seats(first)} seats taken. Every day adds a point.
      </p>
    );
  return (
    <Chart
      title={`Section ${record.sectionCode}`}
      summary={`${plural(days.length, "day")} recorded: ${seats(first)} seats on ${day(first.date)}, ${seats(last)} on ${day(last.date)}.`}
      options={optionsOf(
        days,
        first,
        last,
        changes.filter(({ sectionCode }) => sectionCode === code),
      )}
      address={`${address}&sectionCode=${code}`}
      legend={LEGEND}
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
  /** Section code; by default the section with the most days. */
  readonly chosen: string | undefined;
}

export function EnrollmentCurves({ records, chosen, ...shared }: EnrollmentCurvesProps) {
  const id = useId();
  const rank = ({ sectionCode, dates }: EnrollmentRecord) => (String(sectionCode) === chosen ? Infinity : dates.length);
  const [code, setCode] = useState(() => records.toSorted((a, b) => rank(b) - rank(a))[0]?.sectionCode);
  const record = records.find(({ sectionCode }) => sectionCode === code);
  if (!record) return <p class="quiet">No enrollment of this term has been recorded yet.</p>;
  return (
    <div>
      {records.length > 1 && (
        <p class="choice">
          <label for={id}>Section </label>
          <select id={id} value={code} onChange={({ currentTarget }) => setCode(Number(currentTarget.value))}>
            {records.map(({ sectionCode, sectionType, sectionNum }) => (
              <option value={sectionCode}>
                {sectionCode} {sectionType} {sectionNum}
              </option>
            ))}
          </select>
        </p>
      )}
      <Curve record={record} {...shared} />
    </div>
  );
}
