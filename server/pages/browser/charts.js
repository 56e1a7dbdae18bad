/** Charts as inline SVG; each stands in a figure with its numbers as a table, for those who do not see it or want them exactly. */
import { freshId, h, svg } from "./element.js";
import { count, day, share } from "./words.js";

const [WIDTH, HEIGHT] = [420, 220];
const BOX = { left: 40, right: 10, top: 18, bottom: 28 };
const plotWidth = WIDTH - BOX.left - BOX.right;
const plotHeight = HEIGHT - BOX.top - BOX.bottom;

const at = (value) => Math.round(value * 10) / 10;

function figure({ title, says, marks, heads, rows, legend }) {
  const [titleId, saysId] = [freshId("title"), freshId("says")];
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": `${titleId} ${saysId}`, class: "chart" },
    svg("title", { id: titleId }, title),
    svg("desc", { id: saysId }, says),
    marks,
  );
  const table = h(
    "table",
    { class: "plain" },
    h("caption", { class: "hidden" }, title),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        heads.map((head, i) => h("th", { scope: "col", class: i > 0 && "number" }, head)),
      ),
    ),
    h(
      "tbody",
      null,
      rows.map(([first, ...rest]) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, first),
          rest.map((cell) => h("td", { class: "number" }, cell)),
        ),
      ),
    ),
  );
  return h(
    "figure",
    null,
    h("figcaption", null, h("strong", null, title), " ", h("span", { class: "quiet" }, says)),
    picture,
    legend,
    h("details", null, h("summary", null, "The numbers"), table),
  );
}

const text = (x, y, content, more = {}) => svg("text", { x: at(x), y: at(y), ...more }, content);
const line = (x1, y1, x2, y2, more = {}) => svg("line", { x1: at(x1), y1: at(y1), x2: at(x2), y2: at(y2), ...more });

/** `bars`: [{ name, value }]. */
export function barChart({ title, says, bars, unit }) {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const slot = plotWidth / bars.length;
  const marks = bars.flatMap(({ name, value }, i) => {
    const height = (plotHeight * value) / most;
    const [x, y] = [BOX.left + slot * i, BOX.top + plotHeight - height];
    return [
      svg("rect", {
        x: at(x + slot * 0.14),
        y: at(y),
        width: at(slot * 0.72),
        height: at(height),
        rx: 2,
        class: `bar bar-${name}`,
      }),
      text(x + slot / 2, y - 5, total === 0 ? "" : share(value, total), { class: "value" }),
      text(x + slot / 2, HEIGHT - 10, name, { class: "label" }),
    ];
  });
  const ground = line(BOX.left, BOX.top + plotHeight, WIDTH - BOX.right, BOX.top + plotHeight, { class: "axis" });
  const rows = bars.map(({ name, value }) => [name, count(value), share(value, total)]);
  return figure({ title, says, marks: [...marks, ground], heads: ["Grade", unit, "Share"], rows });
}

/** Round steps that span `low` to `high`. */
function ticks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? power * 10;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

function grid(low, high, places) {
  const y = (value) => BOX.top + plotHeight * (1 - (value - low) / (high - low));
  const marks = ticks(low, high, 5).flatMap((value) => [
    line(BOX.left, y(value), WIDTH - BOX.right, y(value), { class: "grid" }),
    text(BOX.left - 6, y(value) + 4, value.toFixed(places), { class: "tick" }),
  ]);
  return { y, marks };
}

/** `points`: [{ name, value, more }] in order of time; `name` is a year, `more` are further cells of the table. */
export function trendChart({ title, says, points, heads }) {
  const values = points.map(({ value }) => value);
  const low = Math.max(0, Math.floor(Math.min(...values) * 4 - 0.5) / 4);
  const high = Math.min(4, Math.ceil(Math.max(...values) * 4 + 0.5) / 4);
  const { y, marks } = grid(low, Math.max(high, low + 0.5), 2);
  const [first, last] = [Number(points[0].name), Number(points.at(-1).name)];
  // Years without a value leave a gap as wide as they are long.
  const x = (i) => BOX.left + 14 + ((plotWidth - 28) * (Number(points[i].name) - first)) / Math.max(last - first, 1);
  const every = Math.ceil((last - first + 1) / 6);
  const path = points.map(({ value }, i) => `${i === 0 ? "M" : "L"}${at(x(i))} ${at(y(value))}`).join(" ");
  const shapes = [
    svg("path", { d: path, class: "trend" }),
    points.map(({ value }, i) => svg("circle", { cx: at(x(i)), cy: at(y(value)), r: 3.5, class: "dot" })),
    points.map(({ name }, i) =>
      (last - Number(name)) % every === 0 ? text(x(i), HEIGHT - 10, name, { class: "label" }) : null,
    ),
  ];
  const rows = points.map(({ name, value, more }) => [name, value.toFixed(2), ...more]);
  return figure({ title, says, marks: [...marks, ...shapes], heads, rows });
}

const LINES = [
  ["capacity", "capacity"],
  ["enrolled", "enrolled"],
  ["waitlist", "waitlist"],
];

/** `days`: [{ date, enrolled, capacity, waitlist }] in order; a number that is not known is undefined. */
export function enrollmentChart({ title, says, days }) {
  const values = days
    .flatMap(({ enrolled, capacity, waitlist }) => [enrolled, capacity, waitlist])
    .filter(Number.isFinite);
  const { y, marks } = grid(0, Math.max(...values, 1) * 1.08, 0);
  const [first, last] = [Date.parse(days[0].date), Date.parse(days.at(-1).date)];
  const x = (date) => BOX.left + 4 + ((plotWidth - 8) * (Date.parse(date) - first)) / Math.max(last - first, 1);
  const shapes = LINES.map(([field]) => {
    // A day holds until the next one that was seen: steps, not slopes.
    let path = "";
    for (const one of days) {
      if (!Number.isFinite(one[field])) continue;
      path += path === "" ? `M${at(x(one.date))} ${at(y(one[field]))}` : `H${at(x(one.date))}V${at(y(one[field]))}`;
    }
    return svg("path", { d: path, class: `line line-${field}` });
  });
  const ends = [
    text(BOX.left + 4, HEIGHT - 10, day(days[0].date), { class: "label start" }),
    text(WIDTH - BOX.right - 4, HEIGHT - 10, day(days.at(-1).date), { class: "label end" }),
  ];
  const shown = (value) => (Number.isFinite(value) ? count(value) : "–");
  return figure({
    title,
    says,
    marks: [...marks, ...shapes, ...ends],
    heads: ["Day", "Enrolled", "Capacity", "Waitlist"],
    rows: days.map(({ date, enrolled, capacity, waitlist }) => [
      day(date),
      shown(enrolled),
      shown(capacity),
      shown(waitlist),
    ]),
    legend: h(
      "p",
      { class: "legend", "aria-hidden": "true" },
      LINES.map(([field, name]) => h("span", { class: `key key-${field}` }, name)),
    ),
  });
}
