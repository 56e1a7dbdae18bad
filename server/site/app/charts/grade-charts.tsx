/** Grade distribution, and average per year. */
import { axisX, axisY, barY, dot, gridY, lineY, type PlotOptions, pointer, ruleY, text, tip } from "@observablehq/plot";
import { useMemo } from "preact/hooks";
import { Chart } from "../parts/chart.tsx";
import { type GradeRow, gradeSums, groupBy, letterCount, meanOf } from "./grade-sums.ts";
import { count, plural, share } from "../format.ts";

const COLORS: Readonly<Record<string, string>> = { A: "a", B: "b", C: "c", D: "d", F: "f" };
const colorOf = ({ name }: { name: string }) => `var(--bar-${COLORS[name] ?? "other"})`;
const AXIS = { tickSize: 0, labelArrow: "none", color: "var(--quiet)" } as const;
const MARGINS = { marginTop: 28, marginBottom: 40, marginLeft: 44 };

interface GradeChartsProps {
  readonly rows: readonly GradeRow[];
  /** Without it there is no menu of sources. */
  readonly address?: string;
}

interface Bar {
  readonly name: string;
  readonly value: number;
}

function distributionOptions(bars: readonly Bar[], students: number): PlotOptions {
  const channels = { x: "name", y: "value" };
  return {
    ...MARGINS,
    x: { domain: bars.map(({ name }) => name), paddingInner: 0.28, paddingOuter: 0.14, label: null },
    y: { label: null, domain: [0, Math.max(1, ...bars.map(({ value }) => value)) * 1.1] },
    marks: [
      axisY({ ...AXIS, ticks: 4, label: "Students", labelAnchor: "top" }),
      axisX({ ...AXIS, label: "Grade", labelAnchor: "center" }),
      barY(bars, { ...channels, fill: colorOf, rx: 2 }),
      text(bars, {
        ...channels,
        text: ({ value }: Bar) => (value === 0 ? "" : share(value, students)),
        dy: -9,
        fill: "var(--quiet)",
      }),
      ruleY([0], { stroke: "var(--quiet)" }),
    ],
  };
}

function averageText(rows: readonly GradeRow[]): string {
  const mean = meanOf(rows);
  return mean === undefined
    ? "No letter grades"
    : `Average ${mean.toFixed(2)} over ${count(lettersIn(rows))} letter grades`;
}

function Distribution({ rows, address }: GradeChartsProps) {
  const [bars, students] = useMemo(() => {
    const sums = gradeSums(rows);
    return [sums, sums.reduce((sum, { value }) => sum + value, 0)] as const;
  }, [rows]);
  const options = useMemo(() => distributionOptions(bars, students), [bars, students]);
  const most = bars.toSorted((a, b) => b.value - a.value)[0];
  return (
    <Chart
      title={most && students > 0 ? `${share(most.value, students)} of all grades are ${most.name}` : "No grades"}
      {...(address === undefined ? {} : { address })}
      summary={`${plural(students, "grade")} in ${plural(rows.length, "section")}. ${averageText(rows)}.`}
      options={options}
      headers={["Grade", "Students", "Share"]}
      rows={bars.map(({ name, value }) => [name, count(value), share(value, students)])}
    />
  );
}

interface YearMean {
  readonly year: number;
  readonly mean: number;
  readonly sections: number;
  readonly students: number;
}

const lettersIn = (rows: readonly GradeRow[]): number => letterCount(gradeSums(rows));

const meansByYear = (rows: readonly GradeRow[]): YearMean[] =>
  [...groupBy(rows, ({ year }) => [year])]
    .flatMap(([year, own]) => {
      const mean = meanOf(own);
      const students = lettersIn(own);
      return mean === undefined ? [] : [{ year: Number(year), mean, sections: own.length, students }];
    })
    .sort((a, b) => a.year - b.year);

const yearText = ({ year, mean, sections, students }: YearMean): string =>
  `${year}: ${mean.toFixed(2)}\n${plural(students, "letter grade")} in ${plural(sections, "section")}`;

/** A line between two years says that there was a year between them only if there was. */
const runOf = (points: readonly YearMean[], { year }: YearMean): number =>
  points.filter((point, i) => point.year <= year && point.year - (points[i - 1]?.year ?? point.year) > 1).length;

function trendOptions(points: readonly YearMean[]): PlotOptions {
  const means = points.map(({ mean }) => mean);
  const [low, high] = [Math.max(0, Math.floor(Math.min(...means) * 4 - 0.5) / 4), 4];
  const newest = points.at(-1)?.year ?? 0;
  const every = Math.ceil((newest - (points[0]?.year ?? 0) + 1) / 6);
  const channels = { x: "year", y: "mean" };
  return {
    ...MARGINS,
    marginRight: 16,
    x: { type: "linear", insetLeft: 14, insetRight: 14, label: null },
    y: { domain: [low, high], label: null },
    marks: [
      gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      axisY({
        ...AXIS,
        ticks: 5,
        tickFormat: ".2f",
        label: low > 0 ? `Average grade (axis begins at ${low.toFixed(2)})` : "Average grade",
        labelAnchor: "top",
      }),
      axisX({
        ...AXIS,
        ticks: points.map(({ year }) => year).filter((year) => (newest - year) % every === 0),
        tickFormat: String,
        label: "Year",
        labelAnchor: "center",
      }),
      // Where the axis is cut.
      ...(low > 0
        ? [text(["≈"], { frameAnchor: "bottom-left", dx: -6, dy: 2, fontSize: 18, fill: "var(--quiet)" })]
        : []),
      lineY(points, {
        ...channels,
        z: (point: YearMean) => runOf(points, point),
        stroke: "var(--strong)",
        strokeWidth: 2.5,
      }),
      dot(points, { ...channels, r: 3.5, fill: "var(--strong)" }),
      tip(
        points,
        pointer({ ...channels, title: yearText, lineHeight: 1.4, fill: "var(--card)", stroke: "var(--line)" }),
      ),
    ],
  };
}

function findingOf(first: YearMean, last: YearMean): string {
  const [before, now] = [first.mean.toFixed(2), last.mean.toFixed(2)];
  if (first === last) return `${now} in ${last.year}`;
  if (before === now) return `${now} in ${last.year}, as in ${first.year}`;
  return `${now > before ? "Up" : "Down"} from ${before} in ${first.year} to ${now} in ${last.year}`;
}

function Trend({ rows, address }: GradeChartsProps) {
  const points = useMemo(() => meansByYear(rows), [rows]);
  const options = useMemo(() => trendOptions(points), [points]);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  return (
    <Chart
      title={findingOf(first, last)}
      {...(address === undefined ? {} : { address })}
      summary={
        first === last
          ? "The only year with grades."
          : `Average by year, over ${plural(
              points.reduce((sum, { students }) => sum + students, 0),
              "letter grade",
            )}.`
      }
      options={options}
      stops={points.map((point) => ({ x: point.year, y: point.mean, text: yearText(point) }))}
      headers={["Year", "Average", "Sections", "Letter grades"]}
      rows={points.map(({ year, mean, sections, students }) => [
        String(year),
        mean.toFixed(2),
        count(sections),
        count(students),
      ])}
    />
  );
}

export function GradeCharts(props: GradeChartsProps) {
  const { rows } = props;
  if (rows.length === 0) return <p class="quiet">No grades published.</p>;
  return (
    <div class="beside">
      <Trend {...props} />
      <Distribution {...props} />
    </div>
  );
}
