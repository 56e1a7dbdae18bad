import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** Grade distribution, and average per year. */
import { axisX, axisY, barY, dot, gridY, lineY, ruleY, text } from "@observablehq/plot";
import { Chart } from "./chart.tsx";
import { gradeSums, groupBy, meanOf } from "./grade-sums.ts";
import { count, plural, share } from "../format.ts";
const COLORS = { A: "a", B: "b", C: "c", D: "d", F: "f" };
const colorOf = ({ name }) => `var(--bar-${COLORS[name] ?? "other"})`;
function Distribution({ rows, address }) {
  const bars = gradeSums(rows);
  const students = bars.reduce((sum, { value }) => sum + value, 0);
  const mean = meanOf(rows);
  const average = mean === undefined ? "no letter grades" : `average ${mean.toFixed(2)}`;
  const channels = { x: "name", y: "value" };
  const options = {
    x: { domain: bars.map(({ name }) => name), paddingInner: 0.28, paddingOuter: 0.14 },
    y: { axis: null },
    marks: [
      barY(bars, { ...channels, fill: colorOf, rx: 2 }),
      text(bars, {
        ...channels,
        text: ({ value }) => (students === 0 ? "" : share(value, students)),
        dy: -9,
        fill: "var(--quiet)",
      }),
      axisX({ tickSize: 0, label: null }),
      ruleY([0], { stroke: "var(--quiet)" }),
    ],
  };
  return _jsx(Chart, {
    title: "Grades",
    address: address,
    summary: `${plural(students, "grade")} in ${plural(rows.length, "section")}, ${average}.`,
    options: options,
    headers: ["Grade", "Students", "Share"],
    rows: bars.map(({ name, value }) => [name, count(value), share(value, students)]),
  });
}
const meansByYear = (rows) =>
  [...groupBy(rows, ({ year }) => [year])]
    .flatMap(([year, own]) => {
      const mean = meanOf(own);
      return mean === undefined ? [] : [{ year: Number(year), mean, sections: own.length }];
    })
    .sort((a, b) => a.year - b.year);
function Trend({ points, address }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const means = points.map(({ mean }) => mean);
  const low = Math.max(0, Math.floor(Math.min(...means) * 4 - 0.5) / 4);
  const high = Math.max(Math.min(4, Math.ceil(Math.max(...means) * 4 + 0.5) / 4), low + 0.5);
  const every = Math.ceil((last.year - first.year + 1) / 6);
  const ticks = points.map(({ year }) => year).filter((year) => (last.year - year) % every === 0);
  const channels = { x: "year", y: "mean" };
  const options = {
    x: { type: "linear", insetLeft: 14, insetRight: 14 },
    y: { domain: [low, high] },
    marks: [
      gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      axisY({ ticks: 5, tickSize: 0, tickFormat: ".2f", label: null, color: "var(--quiet)" }),
      axisX({ ticks, tickSize: 0, tickFormat: String, label: null }),
      lineY(points, { ...channels, stroke: "var(--strong)", strokeWidth: 2.5 }),
      dot(points, { ...channels, r: 3.5, fill: "var(--strong)" }),
    ],
  };
  return _jsx(Chart, {
    title: "Average by year",
    address: address,
    summary:
      first === last
        ? `${first.mean.toFixed(2)} in ${first.year}, the only year.`
        : `${first.mean.toFixed(2)} in ${first.year}, ${last.mean.toFixed(2)} in ${last.year}.`,
    options: options,
    headers: ["Year", "Average", "Sections"],
    rows: points.map(({ year, mean, sections }) => [String(year), mean.toFixed(2), count(sections)]),
  });
}
export function GradeCharts({ rows, address }) {
  if (rows.length === 0) return _jsx("p", { class: "quiet", children: "No grades have been published for this." });
  return _jsxs("div", {
    class: "beside",
    children: [
      _jsx(Distribution, { rows: rows, address: address }),
      _jsx(Trend, { points: meansByYear(rows), address: address }),
    ],
  });
}
