/** What this browser remembers. Where it denies storage, texts live as long as the page. */
const whileOpen = new Map<string, string>();

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? whileOpen.get(key);
  } catch {
    return whileOpen.get(key);
  }
}

export function store(key: string, text: string): void {
  whileOpen.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Denied or full.
  }
}
