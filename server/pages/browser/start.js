/** The start page: the address says what is shown, so that every view can be shared and the back button works. */
import { addressOf, ask } from "./ask.js";
import { attachCombobox } from "./combobox.js";
import { courseView } from "./course.js";
import { departmentView } from "./department.js";
import { h } from "./element.js";
import { instructorView } from "./instructor.js";
import { hitLine, placeOf, resultList } from "./results.js";
import { sectionView } from "./section.js";
import { openSqlBox } from "./sql-box.js";
import { ago } from "./words.js";

const NAME = "Academic Data REST Service";
const VIEWS = { course: courseView, instructor: instructorView, department: departmentView, section: sectionView };
const [SUGGESTIONS, RESULTS] = [8, 30];

const find = (selector) => document.querySelector(selector);
const [view, field, news] = [find("#view"), find("#q"), find("#news")];
const say = (text) => (news.textContent = text);

/** What the address asks for: a search, or one thing by kind and id. */
function readAddress() {
  const { hash, search } = globalThis.location;
  const [, kind, id, query] = /^#(\w+)\/([^?]+)(?:\?(.*))?$/.exec(hash) ?? [];
  const text = new URLSearchParams(search).get("q") ?? "";
  if (kind === undefined || VIEWS[kind] === undefined) return { text };
  const more = new URLSearchParams(query ?? "");
  const term = /^\d{4} \w+$/.test(more.get("term") ?? "") ? more.get("term") : undefined;
  let decoded = id;
  try {
    decoded = decodeURIComponent(id);
  } catch {
    // Shown as it is: the server will say that there is no such thing.
  }
  return { text, kind, id: decoded, asked: { term } };
}

/** The chosen term goes into the address, without a new entry in the history. */
const rememberTerm = (kind, id) => (term) =>
  history.replaceState(null, "", `#${kind}/${encodeURIComponent(id)}?term=${encodeURIComponent(term)}`);

async function partsOf({ text, kind, id, asked }, signal) {
  if (kind !== undefined)
    return VIEWS[kind](id, asked, kind === "section" ? undefined : rememberTerm(kind, id), signal);
  return resultList(await ask(addressOf("/search", { q: text, limit: String(RESULTS) }), signal), text);
}

let shown;
let running;
/** Shows what the address asks for; `toView` moves the focus there, as a loaded page would. */
async function show(toView) {
  const address = readAddress();
  // A part of this page was asked for, such as #sql: what is shown stays.
  if (shown !== undefined && address.kind === undefined && globalThis.location.hash !== "") return;
  const key = JSON.stringify([
    address.kind,
    address.id,
    address.asked?.term,
    address.kind === undefined && address.text,
  ]);
  if (key === shown) return;
  shown = key;
  running?.abort();
  const mine = new AbortController();
  running = mine;
  field.value = address.text;
  document.body.classList.toggle("has-view", address.kind !== undefined || address.text !== "");
  if (address.kind === undefined && address.text.trim() === "") {
    view.replaceChildren();
    document.title = NAME;
    return;
  }
  view.setAttribute("aria-busy", "true");
  say("Loading");
  let parts;
  try {
    parts = await partsOf(address, mine.signal);
  } catch (error) {
    if (mine.signal.aborted) return;
    parts = [
      h("h2", { tabindex: -1 }, "That did not work"),
      h("p", { class: "problem", role: "alert" }, error.message),
    ];
    shown = undefined;
  }
  if (mine.signal.aborted) return;
  view.replaceChildren(...parts.flat().filter(Boolean));
  view.removeAttribute("aria-busy");
  const title = view.querySelector("h2");
  document.title = `${title?.innerText.replaceAll(/\s+/g, " ") ?? "Result"} – ${NAME}`;
  say("Shown");
  if (toView) {
    title?.focus({ preventScroll: true });
    view.scrollIntoView({ block: "start" });
  }
}

find("#search").addEventListener("submit", (event) => {
  event.preventDefault();
  suggestions.close();
  const text = field.value.trim();
  if (text === "") return;
  history.pushState(null, "", `?q=${encodeURIComponent(text)}`);
  shown = undefined;
  void show(true);
});

const suggestions = attachCombobox(field, {
  label: "Suggestions",
  suggest: (text, signal) => ask(addressOf("/search", { q: text.slice(0, 200), limit: String(SUGGESTIONS) }), signal),
  lineOf: hitLine,
  choose(hit) {
    history.pushState(null, "", `?q=${encodeURIComponent(field.value.trim())}${placeOf(hit)}`);
    void show(true);
  },
  say,
});

globalThis.addEventListener("hashchange", () => void show(true));
globalThis.addEventListener("popstate", () => void show(true));

for (const time of document.querySelectorAll("time")) {
  const date = new Date(time.dateTime);
  time.title = time.textContent;
  time.textContent = ago(date);
}
openSqlBox(find("#sqlBox"));
void show(false);
