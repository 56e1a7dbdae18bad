/** The main heading of a view, and the title of the page. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { withoutDirection } from "../text-direction.ts";

export const SITE_NAME = "Academic Data";

interface PageTitleProps {
  /** The title of the browser's tab. */
  readonly title: string;
  /** Shown above the heading in small letters. */
  readonly over?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The heading that the document came with. */
const served = {
  path: globalThis.location?.pathname,
  over: globalThis.document?.querySelector("#site h1 .over")?.textContent ?? "",
  text: globalThis.document?.querySelector("#site h1")?.lastChild?.textContent ?? "",
};

/** Shows the heading that the server sent for this address, while its view is loading. */
export function GivenTitle() {
  if (served.text === "" || served.path !== globalThis.location.pathname) return null;
  return (
    <h1>
      {served.over !== "" && <span class="over">{served.over}</span>}
      {served.text}
    </h1>
  );
}

/** The path of the heading before this one. */
let shown: string | undefined;

export function PageTitle({ title, over, children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path } = useLocation();
  useLayoutEffect(() => {
    document.title = `${withoutDirection(title)} · ${SITE_NAME}`;
    const canonical = document.querySelector<HTMLLinkElement>("link[rel=canonical]");
    if (canonical) canonical.href = globalThis.location.pathname;
  }, [title]);
  // Screen readers announce the new view, as after a page load, also when the focused element is gone. A reader who has
  // begun to type is not interrupted.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isTyping = activeElement?.matches("input, textarea") ?? false;
    const isNew = shown !== undefined && (path !== shown || activeElement === document.body);
    if (isNew && !isTyping) heading.current?.focus({ preventScroll: true });
    shown = path;
  }, [path]);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {over !== undefined && <span class="over">{over}</span>}
      {children}
    </h1>
  );
}
