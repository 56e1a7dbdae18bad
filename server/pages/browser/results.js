/** What a search found, as a list of links. */
import { h } from "./element.js";

/** The address on this page of a hit. */
export function placeOf({ kind, id }) {
  if (kind !== "section") return `#${kind}/${encodeURIComponent(id)}`;
  const [year, quarter, code] = id.split(" ");
  return `#section/${code}?term=${encodeURIComponent(`${year} ${quarter}`)}`;
}

const KINDS = { course: "course", instructor: "instructor", department: "department", section: "section" };

export const hitLine = (hit) => [
  h("span", { class: "hit" }, hit.title),
  h("span", { class: "subtitle" }, hit.subtitle),
  h("span", { class: "kind" }, KINDS[hit.kind] ?? hit.kind),
];

export function resultList(hits, text) {
  if (hits.length === 0)
    return [
      h("h2", { tabindex: -1 }, `Nothing found for “${text}”`),
      h(
        "p",
        null,
        "Try fewer words, a department such as ",
        h("a", { href: "?q=math" }, "math"),
        ", or a course number.",
      ),
    ];
  return [
    h("h2", { tabindex: -1 }, `Found for “${text}”`),
    h(
      "ol",
      { class: "results" },
      hits.map((hit) => h("li", null, h("a", { href: placeOf(hit) }, hitLine(hit)))),
    ),
  ];
}
