/** Starts the page. The URL decides the view, so views can be shared and the back button works. */
import { type ComponentChild, Fragment, render } from "preact";
import { type Kind, type PageAddress, readAddress, rememberTerm, sharedStatement } from "./address.ts";
import { addressOf, fetchJson, errorMessage } from "./fetch-json.ts";
import { type Hit, hitAddress } from "./links.tsx";
import { ResultList } from "./views/results.tsx";
import { SqlBox } from "./sql/sql-box.tsx";
import { attachSuggestions } from "./views/suggestions.tsx";
import type { View } from "./views/view.ts";
import { ago } from "./format.ts";

const NAME = "Academic Data REST Service";
/** Loaded with the first view: the charts are most of this page's code. */
const VIEWS: Readonly<Record<Kind, () => Promise<View>>> = {
  course: async () => (await import("./views/course.tsx")).courseView,
  instructor: async () => (await import("./views/instructor.tsx")).instructorView,
  department: async () => (await import("./views/department.tsx")).departmentView,
  section: async () => (await import("./views/section.ts")).sectionView,
};
const MAX_RESULTS = "30";

function find<Found extends HTMLElement = HTMLElement>(id: string): Found {
  const found = document.querySelector<Found>(`#${id}`);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
const [view, field, news, sqlBox] = [find("view"), find<HTMLInputElement>("q"), find("news"), find("sqlBox")];
const intro = find("intro");
const announce = (text: string) => (news.textContent = text);

async function contentOf({ text, entity }: PageAddress, signal: AbortSignal): Promise<ComponentChild> {
  if (entity) {
    const { kind, id, term } = entity;
    const onTermChange = kind === "section" ? undefined : rememberTerm(kind, id);
    const view = await VIEWS[kind]();
    return view({ id, term, onTermChange, signal });
  }
  const hits = await fetchJson<Hit[]>(addressOf("/search", { q: text, limit: MAX_RESULTS }), signal);
  return <ResultList hits={hits} text={text} />;
}

const Problem = ({ message }: { message: string }) => (
  <>
    <h1 tabIndex={-1}>That did not work</h1>
    <p class="problem" role="alert">
      {message}
    </p>
  </>
);

let shown: string | undefined;
let running: AbortController | undefined;

/** `toView` moves the focus to the view, like a page load. */
async function show(toView: boolean): Promise<void> {
  const address = readAddress(globalThis.location);
  const { text, entity } = address;
  // An anchor of this page, such as #sql: keep the view.
  if (shown !== undefined && !entity && globalThis.location.hash !== "") return;
  const key = JSON.stringify(entity ?? text);
  if (key === shown) return;
  shown = key;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  field.value = text;
  const isEmpty = !entity && text.trim() === "";
  // Every view has a main heading of its own.
  if (isEmpty) find("search").before(intro);
  else intro.remove();
  if (isEmpty) {
    render(null, view);
    document.title = NAME;
    return;
  }
  view.setAttribute("aria-busy", "true");
  announce("Loading");
  const content = await contentOf(address, controller.signal).catch((error: unknown) => {
    if (!controller.signal.aborted) shown = undefined;
    return <Problem message={errorMessage(error)} />;
  });
  if (controller.signal.aborted) return;
  // A new key resets the state of the view.
  render(<Fragment key={key}>{content}</Fragment>, view);
  view.removeAttribute("aria-busy");
  const title = view.querySelector("h1");
  document.title = `${title?.innerText.replaceAll(/\s+/g, " ") ?? "Result"} – ${NAME}`;
  announce("Shown");
  if (toView) {
    title?.focus({ preventScroll: true });
    view.scrollIntoView({ block: "start" });
  }
}

const suggestions = attachSuggestions({
  field,
  list: find("suggestions"),
  choose(hit) {
    history.pushState(null, "", `?q=${encodeURIComponent(field.value.trim())}${hitAddress(hit)}`);
    void show(true);
  },
  announce,
});

find("search").addEventListener("submit", (event) => {
  event.preventDefault();
  suggestions.close();
  const text = field.value.trim();
  if (text === "") return;
  history.pushState(null, "", `?q=${encodeURIComponent(text)}`);
  shown = undefined;
  void show(true);
});

globalThis.addEventListener("hashchange", () => void show(true));
globalThis.addEventListener("popstate", () => void show(true));

for (const time of document.querySelectorAll<HTMLTimeElement>("time:not(.exact)")) {
  time.title = time.textContent ?? "";
  time.textContent = ago(new Date(time.dateTime));
}
render(<SqlBox shared={sharedStatement(globalThis.location)} files={sqlBox.dataset["files"] ?? ""} />, sqlBox);
void show(false);
