/** A text field with suggestions, after the ARIA pattern "combobox with a list": the focus stays in the field. */
import { freshId, h } from "./element.js";
import { plural } from "./words.js";

const WAIT_MS = 120;

/**
 * `suggest(text, signal)` gives items; `lineOf(item)` what is shown; `choose(item)` is called for the one that is taken; `say(text)` speaks to screen
 * readers.
 */
export function attachCombobox(field, { suggest, lineOf, choose, say, label }) {
  const list = h("ul", {
    id: freshId("suggestions"),
    role: "listbox",
    "aria-label": label,
    class: "suggestions",
    hidden: true,
  });
  field.after(list);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
  }))
    field.setAttribute(name, value);

  let items = [];
  let active = -1;
  let timer;
  let asking;

  function mark(place) {
    active = place;
    const options = [...list.children];
    for (const [i, option] of options.entries()) option.setAttribute("aria-selected", String(i === active));
    options[active]?.scrollIntoView({ block: "nearest" });
    if (options[active]) field.setAttribute("aria-activedescendant", options[active].id);
    else field.removeAttribute("aria-activedescendant");
  }

  function show(next) {
    items = next;
    list.replaceChildren(
      ...items.map((item, i) =>
        h(
          "li",
          {
            role: "option",
            id: freshId("option"),
            "aria-selected": "false",
            // Before the field loses its focus.
            onmousedown: (event) => event.preventDefault(),
            onclick: () => take(i),
          },
          lineOf(item),
        ),
      ),
    );
    list.hidden = items.length === 0;
    field.setAttribute("aria-expanded", String(items.length > 0));
    mark(-1);
  }

  function close() {
    clearTimeout(timer);
    asking?.abort();
    show([]);
  }

  function take(place) {
    const item = items[place];
    close();
    if (item) choose(item);
  }

  async function look() {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    try {
      const found = field.value.trim() === "" ? [] : await suggest(field.value, mine.signal);
      if (mine.signal.aborted) return;
      show(found);
      if (field.value.trim() !== "") say(found.length === 0 ? "No suggestions" : plural(found.length, "suggestion"));
    } catch (error) {
      // Suggestions are a courtesy: what is wrong is said when the search is sent.
      if (error.name !== "AbortError") show([]);
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, WAIT_MS);
  });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    const open = items.length > 0;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) void look();
      else mark((active + (event.key === "ArrowDown" ? 1 : active < 0 ? 0 : -1) + items.length) % items.length);
    } else if (event.key === "Enter" && open && active >= 0) {
      event.preventDefault();
      take(active);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    }
  });
  return { close };
}
