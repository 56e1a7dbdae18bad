/** Stores texts in the browser. If storage is denied or full, they last as long as the page. */
const unsaved = new Map<string, string>();

export function readStored(key: string): string | undefined {
  try {
    return unsaved.get(key) ?? localStorage.getItem(key) ?? undefined;
  } catch {
    return unsaved.get(key);
  }
}

export function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
    unsaved.delete(key);
  } catch {
    // Denied or full.
    unsaved.set(key, text);
  }
}

/** False while the text of this key lives in the page alone. */
export const isStored = (key: string): boolean => !unsaved.has(key);
