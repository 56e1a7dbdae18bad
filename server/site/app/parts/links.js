import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** Links to views, and to the JSON behind their parts. */
import { courseAddress, explanationOf } from "../data/addresses.ts";
/** `I&C SCI 46`. */
export const CourseLink = ({ name }) => _jsx("a", { href: courseAddress(name.replaceAll(" ", "")), children: name });
/** Where the numbers of a part come from: one small menu. */
export const SourceMenu = ({ name, address }) =>
  _jsxs("details", {
    class: "source",
    children: [
      _jsx("summary", { "aria-label": `Source of ${name}`, children: "Source" }),
      _jsxs("ul", {
        children: [
          _jsx("li", { children: _jsx("a", { href: explanationOf(address), children: "Where this comes from" }) }),
          _jsx("li", { children: _jsx("a", { href: address, children: "JSON" }) }),
          _jsx("li", {
            children: _jsx("a", { href: `${address}${address.includes("?") ? "&" : "?"}format=csv`, children: "CSV" }),
          }),
        ],
      }),
    ],
  });
