import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from "preact/hooks";
import { plural } from "./format.ts";
export function ShowMore({ of, limit, children }) {
  const [showsAll, setShowsAll] = useState(false);
  if (showsAll || of.length <= limit) return _jsx(_Fragment, { children: children(of) });
  return _jsxs(_Fragment, {
    children: [
      children(of.slice(0, limit)),
      _jsxs("button", {
        type: "button",
        class: "small",
        onClick: () => setShowsAll(true),
        children: ["Show ", plural(of.length - limit, "more", "more")],
      }),
    ],
  });
}
