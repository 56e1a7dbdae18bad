/** The grades of up to three people over each other, as shares of their letter grades. */
import { axisX, axisY, dot, gridY, lineY, type PlotOptions, pointer, text, tip } from "@observablehq/plot";
import { useMemo } from "preact/hooks";
import type { PersonGrades } from "../course/person-grades.ts";
import { count, plural, spokenName } from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { LETTERS } from "./grade-sums.ts";

interface Point {
  readonly name: string;
  readonly grade: string;
  readonly students: number;
  /** The share of letter grades, in percent. */
  readonly share: number;
  readonly color: string;
}

const pointsOf = ({ name, sums, students }: PersonGrades, i: number): Point[] =>
  sums
    .filter((sum) => LETTERS.some((letter) => letter === sum.name))
    .map((sum) => ({
      name: spokenName(name),
      grade: sum.name,
      students: sum.value,
      share: students === 0 ? 0 : (100 * sum.value) / students,
      color: `var(--course-${i + 1})`,
    }));

const pointText = ({ name, grade, share, students }: Point): string =>
  `${name}: ${share.toFixed(0)}% ${grade}\n${plural(students, "student")}`;

const AXIS = { tickSize: 0, labelArrow: "none", color: "var(--quiet)" } as const;

function optionsOf(points: readonly Point[]): PlotOptions {
  const channels = { x: "grade", y: "share" };
  const stroke = ({ color }: Point) => color;
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
      lineY(points, { ...channels, z: "name", stroke, strokeWidth: 2 }),
      dot(points, { ...channels, fill: stroke, r: 4 }),
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
  readonly people: readonly PersonGrades[];
}

export function PinnedChart({ people }: PinnedChartProps) {
  const points = useMemo(() => people.flatMap(pointsOf), [people]);
  const options = useMemo(() => optionsOf(points), [points]);
  const means = people.map(
    ({ name, mean, students }) => `${spokenName(name)} ${mean?.toFixed(2) ?? "–"} (${count(students)})`,
  );
  return (
    <Chart
      title={people.map(({ name }) => spokenName(name)).join(" and ")}
      summary={`Averages, with the number of letter grades: ${means.join(", ")}.`}
      options={options}
      headers={["Grade", ...people.map(({ name }) => spokenName(name))]}
      rows={LETTERS.map((letter) => [
        letter,
        ...people.map(({ name }) => {
          const point = points.find((candidate) => candidate.grade === letter && candidate.name === spokenName(name));
          return point ? `${point.share.toFixed(0)}% (${count(point.students)})` : "–";
        }),
      ])}
    />
  );
}
