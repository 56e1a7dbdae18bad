/** The search with suggestions: the ARIA combobox pattern, the focus stays in the field. */
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useContext, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { addressOf, BASE } from "../data/addresses.ts";
import { fetchJson } from "../data/fetch-json.ts";
import { SiteContext, useTerm } from "../data/terms.ts";
import type { Suggestion } from "../find/suggestions.ts";
import { hitAddress, type Hit, HitLine } from "../parts/hits.tsx";
import { plural } from "../format.ts";

const WAIT_MS = 120;
const MAX_HITS = "8";
const MAX_LENGTH = 200;
/** Score of a hit whose code or name, or a word of it, is the text. */
const SURE = 0.7;

const search = (text: string, signal?: AbortSignal): Promise<Hit[]> =>
  fetchJson<Hit[]>(addressOf("/search", { q: text.slice(0, MAX_LENGTH), limit: MAX_HITS }), signal).catch(() => []);

const IS_MAC = /mac/i.test(navigator.platform);

/** `isLarge` is the field of the home view. */
export function SearchField({ isLarge = false }: { isLarge?: boolean }) {
  const id = useId();
  const { route, query, path } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const [hits, setHits] = useState<readonly Suggestion[]>([]);
  /** The address of the suggestion that the arrow keys have reached; it survives reloading. */
  const [chosen, setChosen] = useState<string>();
  const active = hits.findIndex(({ address }) => address === chosen);
  const [news, setNews] = useState("");
  const site = useContext(SiteContext);
  const term = useTerm();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<AbortController>(undefined);

  // Both before the field is seen: later they would miss the first keys, or take away what was typed.
  useLayoutEffect(() => {
    if (isLarge || !field.current) return undefined;
    field.current.value = path === `${BASE}find` ? (query["q"] ?? "") : "";
    return undefined;
  }, [path, query["q"]]);
  useLayoutEffect(() => {
    if (isLarge) return undefined;
    const focusOnShortcut = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      field.current?.select();
    };
    addEventListener("keydown", focusOnShortcut);
    return () => removeEventListener("keydown", focusOnShortcut);
  }, []);

  function close(): void {
    clearTimeout(timer.current);
    running.current?.abort();
    setHits([]);
    setChosen(undefined);
  }

  async function load(): Promise<void> {
    clearTimeout(timer.current);
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const text = field.current?.value.trim() ?? "";
    if (text === "") return close();
    const reading = await import("../find/suggestions.ts").catch(() => undefined);
    if (!reading || controller.signal.aborted) return;
    const { ownSuggestions, readTerm, writtenOut } = reading;
    const { term: named, rest } = readTerm(text, site);
    const local = ownSuggestions(text, site);
    // Suggestions are optional: submitting the search reports an error.
    const hits = rest === "" ? [] : await search(writtenOut(rest) ?? rest, controller.signal);
    if (controller.signal.aborted) return;
    // Similar names are of no use to someone who describes what to take.
    const isQuestion = local.some(({ kind }) => kind === "find");
    const likely = isQuestion ? hits.filter(({ score }) => score >= SURE) : hits;
    const query = named === undefined ? {} : { term: named };
    const all = [...local, ...likely.map((hit) => ({ ...hit, address: hitAddress(hit, query) }))];
    const suggestions = [...new Map(all.map((suggestion) => [suggestion.address, suggestion])).values()];
    setHits(suggestions);
    setNews(suggestions.length === 0 ? "No suggestions" : plural(suggestions.length, "suggestion"));
  }

  function go(address: string): void {
    close();
    field.current?.blur();
    route(address);
  }

  function onKeyDown(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const hit = hits[active];
    if (step !== undefined) {
      event.preventDefault();
      if (hits.length === 0) void load();
      else setChosen(hits[(Math.max(active, step > 0 ? -1 : 0) + step + hits.length) % hits.length]?.address);
    } else if (event.key === "Enter" && hit) {
      event.preventDefault();
      go(hit.address);
    } else if (event.key === "Escape" && hits.length > 0) {
      event.preventDefault();
      close();
    }
  }

  function onSubmit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const text = field.current?.value.trim();
    if (text) void open(text);
  }

  async function open(text: string): Promise<void> {
    close();
    const { submittedAddress } = await import("../find/suggestions.ts");
    go(await submittedAddress(text, site, term, search));
  }

  return (
    <form
      class={isLarge ? "search is-large" : "search"}
      role="search"
      aria-label={isLarge ? "Search" : "Search this site"}
      onSubmit={onSubmit}
    >
      <input
        ref={field}
        id={`${id}field`}
        name="q"
        type="search"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={MAX_LENGTH}
        placeholder="Search courses, instructors, codes"
        aria-label="Search courses, instructors, departments and section codes"
        role="combobox"
        list={undefined}
        aria-autocomplete="list"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={active < 0 ? undefined : `${id}option${active}`}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => void load(), WAIT_MS);
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {!isLarge && <kbd aria-hidden="true">{IS_MAC ? "⌘K" : "Ctrl K"}</kbd>}
      <ul id={`${id}list`} class="suggestions" role="listbox" aria-label="Suggestions" hidden={hits.length === 0}>
        {hits.map((hit, i) => (
          <li
            role="option"
            id={`${id}option${i}`}
            aria-selected={i === active}
            // Otherwise the field would lose the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(hit.address)}
          >
            <HitLine hit={hit} />
          </li>
        ))}
      </ul>
      <span class="hidden" role="status">
        {news}
      </span>
    </form>
  );
}
