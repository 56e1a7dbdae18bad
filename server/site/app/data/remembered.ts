/** State of a view that Back finds again, such as how many rows are shown: by address, as long as the tab is open. */
import { useState } from "preact/hooks";

const KEY = "opened";
/** The oldest are forgotten. */
const MAX_ENTRIES = 100;

type Entries = Readonly<Record<string, unknown>>;

function readEntries(): Entries {
  try {
    const entries: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    return entries !== null && typeof entries === "object" ? (entries as Entries) : {};
  } catch {
    return {};
  }
}

function write(key: string, value: unknown): void {
  const { [key]: _old, ...others } = readEntries();
  const kept = [...Object.entries(others).slice(1 - MAX_ENTRIES), [key, value]];
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Denied or full.
  }
}

/** `name` tells the states of one view apart. */
export function useRemembered<T extends number | boolean>(name: string, initial: T): [T, (value: T) => void] {
  const key = `${globalThis.location.pathname}${globalThis.location.search} ${name}`;
  const [value, setValue] = useState<T>(() => {
    const previous = readEntries()[key];
    return typeof previous === typeof initial ? (previous as T) : initial;
  });
  const change = (next: T) => {
    write(key, next);
    setValue(next);
  };
  return [value, change];
}
