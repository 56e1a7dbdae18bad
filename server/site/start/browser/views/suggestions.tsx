/** Search suggestions: the ARIA combobox pattern, the focus stays in the field. */
import { render } from "preact";
import { addressOf, fetchJson } from "../fetch-json.ts";
import type { Hit } from "../links.tsx";
import { HitLine } from "./results.tsx";
import { plural } from "../format.ts";

const WAIT_MS = 120;
const MAX_HITS = "8";

interface SuggestionsOptions {
  readonly field: HTMLInputElement;
  readonly list: HTMLElement;
  readonly choose: (hit: Hit) => void;
  readonly announce: (text: string) => void;
}

export function attachSuggestions({ field, list, choose, announce }: SuggestionsOptions): { close: () => void } {
  let hits: readonly Hit[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;

  function show(next: readonly Hit[], marked = -1): void {
    [hits, active] = [next, marked];
    const options = hits.map((hit, i) => (
      <li
        role="option"
        id={`option${i}`}
        aria-selected={i === active}
        // Otherwise the field would lose the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => take(hit)}
      >
        <HitLine hit={hit} />
      </li>
    ));
    render(options, list);
    list.hidden = hits.length === 0;
    field.setAttribute("aria-expanded", String(hits.length > 0));
    if (active < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", `option${active}`);
    list.children[active]?.scrollIntoView({ block: "nearest" });
  }

  function close(): void {
    clearTimeout(timer);
    running?.abort();
    show([]);
  }

  function take(hit: Hit): void {
    close();
    choose(hit);
  }

  async function load(): Promise<void> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const text = field.value.trim();
    if (text === "") return show([]);
    try {
      const found = await fetchJson<Hit[]>(
        addressOf("/search", { q: text.slice(0, 200), limit: MAX_HITS }),
        controller.signal,
      );
      if (controller.signal.aborted) return;
      show(found);
      announce(found.length === 0 ? "No suggestions" : plural(found.length, "suggestion"));
    } catch {
      // Suggestions are optional: submitting the search reports the error.
      if (!controller.signal.aborted) show([]);
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), WAIT_MS);
  });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    const isOpen = hits.length > 0;
    const hit = hits[active];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) void load();
      else if (event.key === "ArrowDown") show(hits, (active + 1) % hits.length);
      else show(hits, (Math.max(active, 0) - 1 + hits.length) % hits.length);
    } else if (event.key === "Enter" && hit) {
      event.preventDefault();
      take(hit);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      close();
    }
  });
  return { close };
}
