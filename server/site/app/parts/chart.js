import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** A chart with its numbers as a table, for screen readers and exact values. */
import { plot } from "@observablehq/plot";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { DataTable } from "../data-table.tsx";
import { ExplainLink } from "../links.tsx";
const FRAME = {
  className: "chart",
  width: 420,
  height: 220,
  marginLeft: 40,
  marginRight: 10,
  marginTop: 18,
  marginBottom: 28,
};
export function Chart({ title, summary, options, headers, rows, legend, address }) {
  const container = useRef(null);
  const caption = useId();
  useLayoutEffect(() => {
    const picture = plot({ ...FRAME, ...options });
    // The content security policy allows no inline style; charts.css has these rules.
    picture.querySelector("style")?.remove();
    // A picture has one name; ARIA allows none on the groups within it.
    for (const part of picture.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-labelledby", caption);
    container.current?.replaceChildren(picture);
  }, [options, caption]);
  return _jsxs("figure", {
    children: [
      _jsxs("figcaption", {
        id: caption,
        children: [_jsx("strong", { children: title }), " ", _jsx("span", { class: "quiet", children: summary })],
      }),
      _jsx("div", { ref: container }),
      legend,
      _jsxs("details", {
        children: [
          _jsx("summary", { children: "The numbers" }),
          _jsx(DataTable, {
            caption: title,
            hidesCaption: true,
            headers: headers,
            rows: rows,
            isNumber: (column) => column > 0,
          }),
        ],
      }),
      _jsx(ExplainLink, { address: address }),
    ],
  });
}
