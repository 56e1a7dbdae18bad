/** Starts the page: shows what the address asks for, so that every view can be shared and the back button works. */
import { type ComponentChild, Fragment, render } from "preact";
import { type Kind, type PageAddress, readAddress, rememberTerm, sharedStatement } from "./address.ts";
import { addressOf, ask, messageOf } from "./ask.ts";
import { type Hit, hitAddress } from "./places.tsx";
import { ResultList } from "./results.tsx";
import { SqlBox } from "./sql-box.tsx";
import { attachSuggestions } from "./suggestions.tsx";
import type { View } from "./view.ts";
import { ago } from "./words.ts";

const NAME = "Academic Data REST Service";
/** Fetched with the first view: the charts are most of this page's code. */
const VIEWS: Readonly<Record<Kind, () => Promise<View>>> = {
  course: async () => (await import("./course.tsx")).courseView,
  instructor: async () => (await import("./instructor.tsx")).instructorView,
  department: async () => (await import("./department.tsx")).departmentView,
  section: async () => (await import("./section.ts")).sectionView,
};
const MOST_RESULTS = "30";

function find<Found extends HTMLElement = HTMLElement>(id: string): Found {
  const found = document.querySelector<Found>(`#${id}`);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
const [view, field, news, sqlBox] = [find("view"), find<HTMLInputElement>("q"), find("news"), find("sqlBox")];
const say = (text: string) => (news.textContent = text);

async function contentOf({ text, thing }: PageAddress, signal: AbortSignal): Promise<ComponentChild> {
  if (thing) {
    const { kind, id, asked } = thing;
    const remember = kind === "section" ? undefined : rememberTerm(kind, id);
    const view = await VIEWS[kind]();
    return view({ id, asked, remember, signal });
  }
  const hits = await ask<Hit[]>(addressOf("/search", { q: text, limit: MOST_RESULTS }), signal);
  return <ResultList hits={hits} text={text} />;
}

const Problem = ({ message }: { message: string }) => (
  <>
    <h2 tabIndex={-1}>That did not work</h2>
    <p class="problem" role="alert">
      {message}
    </p>
  </>
);

let shown: string | undefined;
let running: AbortController | undefined;

/** Shows what the address asks for; `toView` moves the focus there, as a loaded page would. */
async function show(toView: boolean): Promise<void> {
  const address = readAddress(globalThis.location);
  const { text, thing } = address;
  // A part of this page was asked for, such as #sql: what is shown stays.
  if (shown !== undefined && !thing && globalThis.location.hash !== "") return;
  const key = JSON.stringify(thing ?? text);
  if (key === shown) return;
  shown = key;
  running?.abort();
  const mine = new AbortController();
  running = mine;
  field.value = text;
  const isEmpty = !thing && text.trim() === "";
  document.body.classList.toggle("has-view", !isEmpty);
  if (isEmpty) {
    render(null, view);
    document.title = NAME;
    return;
  }
  view.setAttribute("aria-busy", "true");
  say("Loading");
  const content = await contentOf(address, mine.signal).catch((error: unknown) => {
    if (!mine.signal.aborted) shown = undefined;
    return <Problem message={messageOf(error)} />;
  });
  if (mine.signal.aborted) return;
  // Another key: nothing of the last view's state is kept.
  render(<Fragment key={key}>{content}</Fragment>, view);
  view.removeAttribute("aria-busy");
  const title = view.querySelector("h2");
  document.title = `${title?.innerText.replaceAll(/\s+/g, " ") ?? "Result"} – ${NAME}`;
  say("Shown");
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
  say,
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

for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent ?? "";
  time.textContent = ago(new Date(time.dateTime));
}
render(<SqlBox shared={sharedStatement(globalThis.location)} files={sqlBox.dataset["files"] ?? ""} />, sqlBox);
void show(false);
