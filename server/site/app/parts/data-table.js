import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
export function DataTable({ caption, hidesCaption, headers, rows, isNumber, hasRowHeaders = true }) {
  const classOf = (column) => (isNumber(column) ? "number" : undefined);
  return _jsx("div", {
    class: "scroll",
    role: "group",
    "aria-label": caption,
    tabIndex: 0,
    children: _jsxs("table", {
      children: [
        _jsx("caption", { class: hidesCaption ? "hidden" : undefined, children: caption }),
        _jsx("thead", {
          children: _jsx("tr", {
            children: headers.map((head, i) => _jsx("th", { scope: "col", class: classOf(i), children: head })),
          }),
        }),
        _jsx("tbody", {
          children: rows.map((cells) =>
            _jsx("tr", {
              children: cells.map((cell, i) =>
                hasRowHeaders && i === 0
                  ? _jsx("th", { scope: "row", children: cell })
                  : _jsx("td", { class: classOf(i), children: cell }),
              ),
            }),
          ),
        }),
      ],
    }),
  });
}
