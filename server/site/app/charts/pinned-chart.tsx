/** The grades of up to three people or courses over each other, as shares of their letter grades. */
import { axisX, axisY, dot, gridY, lineY, type PlotOptions, pointer, text, tip } from "@observablehq/plot";
import { useMemo } from "preact/hooks";
import type { GradeSummary } from "../course/person-grades.ts";
import { count, plural } from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { LETTERS } from "./grade-sums.ts";

export interface NamedGrades extends GradeSummary {
  readonly name: string;
}

/** Colour is never alone: lines differ in their dashes, and points in their shapes. */
const DASHES = ["", "8 4", "2 4"] as const;
const SYMBOLS = ["circle", "square", "triangle"] as const;

interface Point {
  readonly name: string;
  readonly grade: string;
  readonly students: number;
  /** The share of letter grades, in percent. */
  readonly share: number;
}

const pointsOf = ({ name, sums, students }: NamedGrades): Point[] =>
  sums
    .filter((sum) => LETTERS.some((letter) => letter === sum.name))
    .map((sum) => ({
      name,
      grade: sum.name,
      students: sum.value,
      share: students === 0 ? 0 : (100 * sum.value) / students,
    }));

const pointText = ({ name, grade, share, students }: Point): string =>
  `${name}: ${share.toFixed(0)}% ${grade}\n${plural(students, "student")}`;

const AXIS = { tickSize: 0, labelArrow: "none", color: "var(--quiet)" } as const;

function optionsOf(series: readonly (readonly Point[])[]): PlotOptions {
  const channels = { x: "grade", y: "share" };
  const points = series.flat();
  // Names stand beside the A, where people differ most; those that would meet move apart.
  const labels = points.filter(({ grade }) => grade === "A").toSorted((a, b) => a.share - b.share);
  const top = Math.max(1, ...points.map(({ share }) => share)) * 1.15;
  let least = -Infinity;
  const placed = labels.map((point) => {
    least = Math.max(point.share, least + top / 12);
    return { ...point, at: least };
  });
  return {
    height: 260,
    marginTop: 28,
    marginBottom: 40,
    marginLeft: 44,
    x: { domain: [...LETTERS], label: null, padding: 0.6 },
    y: { domain: [0, top], label: null },
    marks: [
      gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      axisY({ ...AXIS, ticks: 5, label: "Of letter grades (%)", labelAnchor: "top" }),
      axisX({ ...AXIS, label: "Grade", labelAnchor: "center" }),
      ...series.flatMap((own, i) => [
        lineY(own, {
          ...{ ...channels, stroke: `var(--course-${i + 1})`, strokeWidth: 2 },
          strokeDasharray: DASHES[i] ?? "",
        }),
        dot(own, { ...channels, fill: `var(--course-${i + 1})`, symbol: SYMBOLS[i] ?? "circle", r: 4 }),
      ]),
      text(placed, {
        x: "grade",
        y: "at",
        text: "name",
        dx: 10,
        textAnchor: "start",
        fill: "var(--ink)",
        fontWeight: 600,
      }),
      tip(
        points,
        pointer({ ...channels, title: pointText, lineHeight: 1.4, fill: "var(--card)", stroke: "var(--line)" }),
      ),
    ],
  };
}

interface PinnedChartProps {
  /** At most three. */
  readonly series: readonly NamedGrades[];
}

export function PinnedChart({ series }: PinnedChartProps) {
  const points = useMemo(() => series.map(pointsOf), [series]);
  const options = useMemo(() => optionsOf(points), [points]);
  const names = series.map(({ name }) => name);
  const means = series.map(({ name, mean, students }) => `${name} ${mean?.toFixed(2) ?? "–"} (${count(students)})`);
  return (
    <Chart
      title={names.join(" and ")}
      summary={`Averages, with the number of letter grades: ${means.join(", ")}.`}
      options={options}
      headers={["Grade", ...names]}
      rows={LETTERS.map((letter, i) => [
        letter,
        ...points.map((own) => {
          const point = own[i];
          return point ? `${point.share.toFixed(0)}% (${count(point.students)})` : "–";
        }),
      ])}
    />
  );
}
