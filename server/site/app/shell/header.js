import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** The header of every view: search, week, term, and the ways to the other views. */
import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso";
import { addressOf, BASE, viewAddress } from "../data/addresses.ts";
import { publishedTerms, SiteContext, termTitle, useTerm } from "../data/terms.ts";
import { useJson } from "../data/use-json.ts";
import { usePlan } from "../plan/stored-plan.ts";
import { SampleBanner } from "./sample-banner.tsx";
import { SearchField } from "./search-field.tsx";
const LINKS = [
  ["/find", "Find"],
  ["/plan", "Plan"],
  ["/sql", "SQL"],
  ["/data", "Data"],
  ["/docs", "Reference"],
];
/** `Week 9 • Fall Quarter 2026`. */
function WeekText() {
  const { value } = useJson([addressOf("/week")]);
  return _jsx("span", { class: "week", children: value?.[0].display });
}
function TermChoice() {
  const site = useContext(SiteContext);
  const term = useTerm();
  const { route } = useLocation();
  const choose = (next) => {
    const query = new URLSearchParams(globalThis.location.search);
    query.set("term", next);
    route(`${globalThis.location.pathname}?${query}`);
  };
  return _jsx("select", {
    class: "term",
    "aria-label": "Term",
    value: term,
    onChange: ({ currentTarget }) => choose(currentTarget.value),
    children: publishedTerms(site).map((one) => _jsx("option", { value: one, children: termTitle(one) })),
  });
}
export function Header() {
  const { path } = useLocation();
  const { codes } = usePlan(useTerm());
  return _jsxs(_Fragment, {
    children: [
      _jsx("a", { class: "skip", href: "#main", children: "Skip to the content" }),
      _jsxs("header", {
        class: "site-header",
        children: [
          _jsx("a", { class: "brand", href: viewAddress("/"), children: "Academic Data" }),
          _jsx(SearchField, {}),
          _jsxs("div", { class: "when", children: [_jsx(TermChoice, {}), _jsx(WeekText, {})] }),
          _jsx("nav", {
            "aria-label": "Views",
            children: LINKS.map(([to, name]) =>
              _jsxs("a", {
                href: viewAddress(to),
                "aria-current": path === `${BASE}${to.slice(1)}` ? "page" : undefined,
                children: [
                  name,
                  to === "/plan" &&
                    codes.length > 0 &&
                    _jsxs("span", {
                      class: "count",
                      "aria-label": `${codes.length} sections`,
                      children: [" ", codes.length],
                    }),
                ],
              }),
            ),
          }),
        ],
      }),
      _jsx(SampleBanner, {}),
    ],
  });
}
