import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
export const SITE_NAME = "Academic Data";
export function PageTitle({ title, over, children }) {
  const heading = useRef(null);
  const { wasPush, path } = useLocation();
  useLayoutEffect(() => {
    document.title = `${title} · ${SITE_NAME}`;
    const canonical = document.querySelector("link[rel=canonical]");
    if (canonical) canonical.href = globalThis.location.pathname;
  }, [title]);
  // A reader of the screen hears the new view, as after a page load.
  useLayoutEffect(() => {
    if (wasPush) heading.current?.focus({ preventScroll: true });
  }, [path]);
  return _jsxs("h1", {
    tabIndex: -1,
    ref: heading,
    children: [over !== undefined && _jsx("span", { class: "over", children: over }), children],
  });
}
