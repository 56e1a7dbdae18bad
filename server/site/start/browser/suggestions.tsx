/** Suggestions below the search field, after the ARIA pattern "combobox with a list": the focus stays in the field. */
import { render } from "preact";
import { addressOf, ask } from "./ask.ts";
import type { Hit } from "./places.tsx";
import { HitLine } from "./results.tsx";
import { plural } from "./words.ts";

const WAIT_MS = 120;
const MOST = "8";

interface SuggestionsOptions {
  readonly field: HTMLInputElement;
  readonly list: HTMLElement;
  /** Called with the one that is taken. */
  readonly choose: (hit: Hit) => void;
  /** Speaks to screen readers. */
  readonly say: (text: string) => void;
}

export function attachSuggestions({ field, list, choose, say }: SuggestionsOptions): { close: () => void } {
  let hits: readonly Hit[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  function show(next: readonly Hit[], marked = -1): void {
    [hits, active] = [next, marked];
    const options = hits.map((hit, i) => (
      <li
        role="option"
        id={`option${i}`}
        aria-selected={i === active}
        // Before the field loses its focus.
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
    asking?.abort();
    show([]);
  }

  function take(hit: Hit): void {
    close();
    choose(hit);
  }

  async function look(): Promise<void> {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const text = field.value.trim();
    if (text === "") return show([]);
    try {
      const found = await ask<Hit[]>(addressOf("/search", { q: text.slice(0, 200), limit: MOST }), mine.signal);
      if (mine.signal.aborted) return;
      show(found);
      say(found.length === 0 ? "No suggestions" : plural(found.length, "suggestion"));
    } catch {
      // Suggestions are a courtesy: what is wrong is said when the search is sent.
      if (!mine.signal.aborted) show([]);
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), WAIT_MS);
  });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    const isOpen = hits.length > 0;
    const hit = hits[active];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) void look();
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
