/** How fast a course filled: the term of the page over past terms, by week relative to the first day of instruction. */
import { axisX, axisY, dot, gridY, lineY, type PlotOptions, pointer, ruleX, text, tip } from "@observablehq/plot";
import { useMemo } from "preact/hooks";
import { type FillCurve, type FillDay, weekText } from "../course/fill-curves.ts";
import { count, day, share } from "../format.ts";
import { groupBy } from "./grade-sums.ts";
import { Chart } from "../parts/chart.tsx";

export interface NamedCurve extends FillCurve {
  /** `Fall 2026`, or `COMPSCI 161`. */
  readonly name: string;
}

interface FillChartProps {
  /** The first one is drawn over the others. */
  readonly curves: readonly [NamedCurve, ...NamedCurve[]];
  readonly title: string;
  /** Seats instead of their share. */
  readonly inSeats: boolean;
  /** The others are as important as the first one. */
  readonly isComparison?: boolean;
}

interface Point extends FillDay {
  readonly name: string;
  readonly value: number;
}

const HEIGHT = 320;
/** The height of a line of text as a share of the chart. */
const LINE = 16 / (HEIGHT - 60);

const pointText = ({ name, taken, seats, date, week }: Point): string =>
  `${name}: ${share(taken, seats)} of seats taken\n${count(taken)} of ${count(seats)} seats, ${day(date)}\n${weekText(week)}`;

/** Names beside the ends of lines, moved up where they would meet. */
function labelsOf(curves: readonly (readonly Point[])[], top: number) {
  const ends = curves.flatMap((points) => points.at(-1) ?? []).toSorted((a, b) => a.value - b.value);
  let least = -Infinity;
  return ends.map((point) => {
    least = Math.max(point.value, least + LINE * top);
    return { name: point.name, week: point.week, at: least };
  });
}

function optionsOf(curves: readonly (readonly Point[])[], inSeats: boolean, isComparison: boolean): PlotOptions {
  const current = curves[0]?.[0]?.name;
  const all = curves.flat();
  const top = Math.max(inSeats ? 1 : 100, ...all.map(({ value }) => value)) * 1.04;
  const isCurrent = ({ name }: { name: string }) => name === current;
  const other = isComparison ? "var(--course-2)" : "var(--past)";
  const stroke = (point: Point) => (isCurrent(point) ? "var(--strong)" : other);
  const key = ({ name, run }: Point) => `${name} ${run}`;
  const runs = groupBy(all, (point) => [key(point)]);
  const full = curves.flatMap((points) => points.find(({ isFull }) => isFull) ?? []);
  const channels = { x: "week", y: "value" };
  // The current term is drawn last, over the others.
  const [over, under] = [all.filter(isCurrent), all.filter((point) => !isCurrent(point))];
  const lines = (points: readonly Point[], strokeWidth: number, strokeDasharray = "") =>
    lineY(points, { ...channels, z: key, stroke, strokeWidth, strokeDasharray, curve: "step-after" });
  return {
    height: HEIGHT,
    marginTop: 28,
    marginLeft: 48,
    marginRight: 92,
    marginBottom: 40,
    x: { label: null },
    y: { domain: [0, top], label: null },
    marks: [
      gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      axisY({
        ticks: 5,
        tickSize: 0,
        color: "var(--quiet)",
        label: inSeats ? "Seats taken" : "Seats taken (%)",
        labelArrow: "none",
        labelAnchor: "top",
      }),
      axisX({
        tickSpacing: 56,
        tickSize: 0,
        tickFormat: (week: number) => (Number.isInteger(week) ? String(week).replace("-", "−") : ""),
        label: "Weeks from the first day of instruction",
        labelArrow: "none",
        labelAnchor: "center",
        color: "var(--quiet)",
      }),
      ruleX([0], { stroke: "var(--quiet)", strokeDasharray: "3 3" }),
      // Colour is never alone.
      isComparison ? lines(under, 2.5, "8 4") : lines(under, 1.5),
      lines(over, 3),
      // A day whose neighbours were not recorded.
      dot([...runs.values()].filter((run) => run.length === 1).flat(), {
        ...channels,
        r: (point: Point) => (isCurrent(point) ? 3 : 2),
        fill: stroke,
      }),
      dot(full, { ...channels, r: 5, fill: "var(--card)", stroke: "var(--bad)", strokeWidth: 2, className: "full" }),
      ...[true, false].map((ofCurrent) =>
        text(
          labelsOf(curves, top).filter((label) => isCurrent(label) === ofCurrent),
          {
            x: "week",
            y: "at",
            text: "name",
            dx: 8,
            textAnchor: "start",
            fontWeight: ofCurrent || isComparison ? 600 : 400,
            fill: ofCurrent ? "var(--strong)" : isComparison ? "var(--ink)" : "var(--quiet)",
          },
        ),
      ),
      tip(all, pointer({ ...channels, title: pointText, lineHeight: 1.4, fill: "var(--card)", stroke: "var(--line)" })),
    ],
  };
}

export function FillChart({ curves, title, inSeats, isComparison = false }: FillChartProps) {
  const points = curves.map(({ name, days }) =>
    days.map((day): Point => ({ ...day, name, value: inSeats ? day.taken : (100 * day.taken) / day.seats })),
  );
  const key = curves.map(({ name, days }) => `${name} ${days.length}`).join();
  const options = useMemo(() => optionsOf(points, inSeats, isComparison), [key, inSeats]);
  const weeks = [...new Set(points.flat().map(({ week }) => Math.ceil(week)))].toSorted((a, b) => a - b);
  return (
    <Chart
      title={title}
      summary="Sections with units. A ring marks the first day without a free seat; where a line breaks, nothing was recorded."
      options={options}
      stops={(points[0] ?? []).map((point) => ({ x: point.week, y: point.value, text: pointText(point) }))}
      headers={["Week", ...curves.map(({ name }) => name)]}
      rows={weeks.map((week) => [
        String(week).replace("-", "−"),
        ...points.map((curve) => {
          const point = curve.findLast((candidate) => Math.ceil(candidate.week) === week);
          return point ? `${share(point.taken, point.seats)} (${count(point.taken)} of ${count(point.seats)})` : "–";
        }),
      ])}
    />
  );
}
