import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useJson } from "../data/use-json.ts";
export function Loaded({ addresses, lines, children }) {
  return _jsx(LoadingPart, { loading: useJson(addresses), lines: lines, of: (values) => children(...values) });
}
export function LoadingPart({ loading: { value, problem, isLoading, reload }, lines = 3, of }) {
  if (problem !== undefined)
    return _jsxs("p", {
      class: "problem",
      role: "alert",
      children: [
        problem,
        " ",
        _jsx("button", { type: "button", class: "small", onClick: reload, children: "Try again" }),
      ],
    });
  if (value === undefined) return _jsx(Skeleton, { lines: lines });
  return _jsx("div", { "aria-busy": isLoading, children: of(value) });
}
/** Shown after 150 ms, by its style. */
export const Skeleton = ({ lines }) =>
  _jsx("div", {
    class: "skeleton",
    role: "status",
    "aria-label": "Loading",
    children: Array.from({ length: lines }, () => _jsx("span", {})),
  });
