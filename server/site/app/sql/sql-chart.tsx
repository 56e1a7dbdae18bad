/** Two columns of a result as bars or as a line. */
import {
  axisX,
  axisY,
  barX,
  dot,
  gridX,
  gridY,
  lineY,
  type PlotOptions,
  ruleX,
  text,
  tip,
  pointer,
  pointerX,
} from "@observablehq/plot";
import { useMemo } from "preact/hooks";
import { Chart } from "../parts/chart.tsx";
import { plural } from "../format.ts";
import { type ResultColumn, shownText } from "./sql-values.ts";

/** More cannot be told apart. */
const MOST = { bars: 40, line: 5000 } as const;

interface SqlChartProps {
  readonly x: ResultColumn;
  readonly y: ResultColumn;
  readonly kind: "bars" | "line";
  readonly rows: number;
}

interface Point {
  readonly row: number;
  readonly across: number | Date | string;
  readonly name: string;
  readonly value: number;
  readonly exact: string;
}

function pointsOf({ x, y, kind, rows }: SqlChartProps): Point[] {
  const points: Point[] = [];
  for (let row = 0; row < rows && points.length < MOST[kind]; row++) {
    const [at, value] = [x.at(row), y.at(row)];
    if (value === null || at === null) continue;
    const name = shownText(at, x);
    const across = x.isNumber ? Number(at) : x.isTime ? new Date(Number(at)) : name;
    points.push({ row, across, name, value: Number(value), exact: `${name}: ${shownText(value, y)}` });
  }
  return points;
}

const quietAxis = { tickSize: 0, color: "var(--quiet)" } as const;
const tipStyle = { fill: "var(--card)", stroke: "var(--line)", textPadding: 8 } as const;

function barOptions(points: readonly Point[], { y }: SqlChartProps): PlotOptions {
  const longest = points.reduce((most, { name }) => Math.max(most, name.length), 0);
  const channels = { y: "row", x: "value" } as const;
  return {
    height: 60 + 24 * points.length,
    marginLeft: Math.min(240, 24 + 7.5 * longest),
    marginRight: 56,
    marginTop: 12,
    marginBottom: 44,
    y: { type: "band", domain: points.map(({ row }) => row), paddingInner: 0.3 },
    marks: [
      gridX({ stroke: "var(--line)", strokeOpacity: 1 }),
      barX(points, { ...channels, fill: "var(--strong)" }),
      text(points, {
        ...channels,
        text: ({ exact, name }: Point) => exact.slice(name.length + 2),
        textAnchor: "start",
        dx: 4,
        fill: "var(--ink)",
      }),
      axisX({ ...quietAxis, label: y.name, labelArrow: "none" }),
      axisY({ tickSize: 0, label: null, tickFormat: (_: number, i: number) => points[i]?.name ?? "" }),
      ruleX([0], { stroke: "var(--quiet)" }),
      tip(points, pointer({ ...channels, ...tipStyle, title: "exact" })),
    ],
  };
}

function lineOptions(points: readonly Point[], { x, y }: SqlChartProps): PlotOptions {
  const channels = { x: "across", y: "value" } as const;
  const ofNames = !x.isNumber && !x.isTime;
  return {
    height: 320,
    marginLeft: 64,
    marginRight: 28,
    marginTop: 28,
    marginBottom: 44,
    x: ofNames ? { type: "point", domain: points.map(({ name }) => name) } : { nice: true },
    y: { nice: true },
    marks: [
      gridY({ stroke: "var(--line)", strokeOpacity: 1 }),
      axisY({ ...quietAxis, label: y.name, labelArrow: "none" }),
      axisX({
        tickSize: 0,
        label: x.name,
        labelArrow: "none",
        // Years are numbers without a comma.
        ...(x.isNumber && {
          tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1)),
        }),
      }),
      lineY(points, { ...channels, stroke: "var(--strong)", strokeWidth: 2 }),
      ...(points.length <= 60 ? [dot(points, { ...channels, r: 3, fill: "var(--strong)" })] : []),
      tip(points, pointerX({ ...channels, ...tipStyle, title: "exact" })),
    ],
  };
}

export function SqlChart(props: SqlChartProps) {
  const { x, y, kind, rows } = props;
  const points = useMemo(() => pointsOf(props), [x, y, kind]);
  const options = useMemo(
    () => (kind === "line" ? lineOptions(points, props) : barOptions(points, props)),
    [points, kind],
  );
  const left = rows - points.length;
  const isCut = kind === "line" && points.every(({ value }) => value > 0);
  const summary = [
    left > 0 && `${plural(points.length, "row")}; ${plural(left, "more", "more")} not drawn.`,
    isCut && "The axis does not begin at 0.",
  ];
  return (
    <Chart
      title={`${y.name} by ${x.name}`}
      summary={summary.filter(Boolean).join(" ")}
      options={options}
      headers={[x.name, y.name]}
      rows={points.map(({ name, exact }) => [name, exact.slice(name.length + 2)])}
    />
  );
}
