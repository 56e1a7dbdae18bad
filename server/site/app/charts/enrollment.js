import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** Enrollment over time, for one section at a time. */
import { axisY, dot, gridY, lineY, rect, text } from "@observablehq/plot";
import { useId, useState } from "preact/hooks";
import { changeText } from "../changes.tsx";
import { Chart } from "./chart.tsx";
import { count, day, moment, plural } from "../format.ts";
import { CANCELLED, colorOf, STATUS_NAMES, statusRuns } from "./status-band.ts";
const LINES = [
  ["capacity", { stroke: "var(--quiet)", strokeWidth: 1.5, strokeDasharray: "5 4" }],
  ["enrolled", { stroke: "var(--strong)", strokeWidth: 2.5 }],
  ["waitlist", { stroke: "var(--bar-d)", strokeWidth: 2.5 }],
];
const number = (text) => (text && /^\d+$/.test(text) ? Number(text) : undefined);
const formatCount = (value) => (value === undefined ? "–" : count(value));
const seats = ({ enrolled, capacity }) => `${enrolled ?? "?"} of ${capacity ?? "?"}`;
/** `cancelledFrom`: the day from which on the section is cancelled. */
const daysOf = ({ dates, totalEnrolledHistory, maxCapacityHistory, waitlistHistory, statusHistory }, cancelledFrom) =>
  dates.map((date, i) => ({
    date,
    enrolled: number(totalEnrolledHistory[i]),
    capacity: number(maxCapacityHistory[i]),
    waitlist: number(waitlistHistory[i]),
    status: cancelledFrom !== undefined && date >= cancelledFrom ? CANCELLED : (statusHistory[i] ?? ""),
  }));
/** Five digits; the record has a number. */
const codeOf = ({ sectionCode }) => String(sectionCode).padStart(5, "0");
/** The first day where no change tells when it was cancelled. */
const cancellationDay = (changes) => changes.findLast(({ kind }) => kind === "cancelled")?.at.slice(0, 10) ?? "";
function optionsOf(days, first, last, changes) {
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
          { ...look, x: ({ date }) => new Date(date), y: field, curve: "step-after", className: `line-${field}` },
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
        x: ({ at }) => new Date(at),
        y: most * 1.1,
        symbol: "diamond",
        r: 4,
        fill: "var(--ink)",
        title: (change) => `${moment(change.at)}: ${changeText(change)}`,
        className: "changes",
      }),
      text([day(first.date)], { ...end, frameAnchor: "bottom-left" }),
      text([day(last.date)], { ...end, frameAnchor: "bottom-right" }),
    ],
  };
}
const LEGEND = _jsxs("div", {
  "aria-hidden": "true",
  children: [
    _jsxs("p", {
      class: "legend",
      children: [
        LINES.map(([field]) => _jsx("span", { class: `key key-${field}`, children: field })),
        _jsx("span", { class: "key key-change", children: "change" }),
      ],
    }),
    _jsxs("p", {
      class: "legend",
      children: [
        "Status:",
        Object.entries(STATUS_NAMES).map(([status, name]) =>
          _jsx("span", { class: `key key-${status}`, children: name }),
        ),
      ],
    }),
  ],
});
/** The lines themselves show how many seats are taken. */
const isInLines = ({ kind }) => kind === "enrolled" || kind === "waitlist";
function Curve({ record, isCancelled, changes, address }) {
  const code = codeOf(record);
  const own = changes.filter(({ sectionCode }) => sectionCode === code);
  const days = daysOf(record, isCancelled ? cancellationDay(own) : undefined);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last)
    return _jsx("p", { class: "quiet", children: "No enrollment of this section has been recorded." });
  if (first === last)
    return _jsxs("p", {
      children: [
        "Recorded on one day so far, ",
        day(first.date),
        ": ",
        seats(first),
        " seats taken. Every day adds a point.",
      ],
    });
  return _jsx(Chart, {
    title: `Section ${code}${isCancelled ? ", cancelled" : ""}`,
    summary: `${plural(days.length, "day")} recorded: ${seats(first)} seats on ${day(first.date)}, ${seats(last)} on ${day(last.date)}.`,
    options: optionsOf(
      days,
      first,
      last,
      own.filter((change) => !isInLines(change)),
    ),
    address: `${address}&sectionCode=${code}`,
    legend: LEGEND,
    headers: ["Day", "Enrolled", "Capacity", "Waitlist", "Status"],
    rows: days.map(({ date, enrolled, capacity, waitlist, status }) => [
      day(date),
      formatCount(enrolled),
      formatCount(capacity),
      formatCount(waitlist),
      STATUS_NAMES[status] ?? status,
    ]),
  });
}
export function EnrollmentCurves({ records, sections, chosen, ...shared }) {
  const id = useId();
  const cancelled = new Set(sections.filter(({ isCancelled }) => isCancelled).map(({ sectionCode }) => sectionCode));
  function rank(record) {
    const code = codeOf(record);
    if (code === chosen) return Infinity;
    return cancelled.has(code) ? 0 : record.dates.length;
  }
  const [first] = records.toSorted((a, b) => rank(b) - rank(a));
  const [code, setCode] = useState(first && codeOf(first));
  const record = records.find((one) => codeOf(one) === code);
  if (!record) return _jsx("p", { class: "quiet", children: "No enrollment of this term has been recorded yet." });
  return _jsxs("div", {
    children: [
      records.length > 1 &&
        _jsxs("p", {
          class: "choice",
          children: [
            _jsx("label", { for: id, children: "Section " }),
            _jsx("select", {
              id: id,
              value: code,
              onChange: ({ currentTarget }) => setCode(currentTarget.value),
              children: records.map((one) =>
                _jsxs("option", {
                  value: codeOf(one),
                  children: [
                    codeOf(one),
                    " ",
                    one.sectionType,
                    " ",
                    one.sectionNum,
                    cancelled.has(codeOf(one)) && ", cancelled",
                  ],
                }),
              ),
            }),
          ],
        }),
      _jsx(Curve, { record: record, isCancelled: cancelled.has(codeOf(record)), ...shared }),
    ],
  });
}
