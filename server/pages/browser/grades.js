/** Grade rows (one a section) summed for charts and tables. */
import { barChart, trendChart } from "./charts.js";
import { h } from "./element.js";
import { count, plural } from "./words.js";

const GRADES = ["A", "B", "C", "D", "F", "P", "NP", "W"];
const LETTERS = GRADES.slice(0, 5);

const sum = (rows, grade) => rows.reduce((total, row) => total + row[`grade${grade}Count`], 0);

/** The service's own rule: the plain mean of the sections' averages, sections without a letter grade aside. */
export function meanOf(rows) {
  const lettered = rows.filter((row) => LETTERS.some((grade) => row[`grade${grade}Count`] > 0));
  return lettered.length === 0
    ? undefined
    : lettered.reduce((total, row) => total + row.averageGPA, 0) / lettered.length;
}

export const groupBy = (rows, key) => {
  const groups = new Map();
  for (const row of rows) for (const one of [key(row)].flat()) groups.set(one, [...(groups.get(one) ?? []), row]);
  return groups;
};

/** The two charts of a list of grade rows. */
export function gradeCharts(rows) {
  if (rows.length === 0) return h("p", { class: "quiet" }, "No grades have been published for this.");
  const bars = GRADES.map((name) => ({ name, value: sum(rows, name) }));
  const students = bars.reduce((total, { value }) => total + value, 0);
  const mean = meanOf(rows);
  const average = mean === undefined ? "no letter grades" : `average ${mean.toFixed(2)}`;
  const distribution = barChart({
    title: "Grades",
    says: `${plural(students, "grade")} in ${plural(rows.length, "section")}, ${average}.`,
    bars,
    unit: "Students",
  });
  const points = [...groupBy(rows, ({ year }) => year)]
    .map(([year, own]) => ({ name: year, value: meanOf(own), more: [count(own.length)] }))
    .filter(({ value }) => value !== undefined)
    .sort((a, b) => Number(a.name) - Number(b.name));
  if (points.length === 0) return h("div", { class: "beside" }, distribution);
  const [first, last] = [points[0], points.at(-1)];
  const trend = trendChart({
    title: "Average by year",
    says:
      points.length === 1
        ? `${first.value.toFixed(2)} in ${first.name}, the only year.`
        : `${first.value.toFixed(2)} in ${first.name}, ${last.value.toFixed(2)} in ${last.name}.`,
    points,
    heads: ["Year", "Average", "Sections"],
  });
  return h("div", { class: "beside" }, distribution, trend);
}

/** A table of groups of grade rows: [{ name, rows }], most sections first; the rest is behind a button. */
export function gradeTable(title, head, groups, most = 8) {
  const sorted = groups.toSorted((a, b) => b.rows.length - a.rows.length);
  const line = ({ name, rows }) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, name),
      h("td", { class: "number" }, count(rows.length)),
      h("td", { class: "number" }, meanOf(rows)?.toFixed(2) ?? "–"),
    );
  const body = h("tbody", null, sorted.slice(0, most).map(line));
  const rest = sorted.slice(most);
  const more = h("button", { type: "button", class: "small" }, `Show ${plural(rest.length, "more", "more")}`);
  more.addEventListener("click", () => {
    body.append(...rest.map(line));
    more.remove();
  });
  return h(
    "div",
    null,
    h(
      "table",
      { class: "plain" },
      h("caption", null, title),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          [head, "Sections", "Average"].map((name, i) => h("th", { scope: "col", class: i > 0 && "number" }, name)),
        ),
      ),
      body,
    ),
    rest.length > 0 && more,
  );
}
