import { type Page, textOf } from "./html-page.ts";

/** Names as printed (`Mira Vane III, Ph.D.`), each once, in the page's order. */
export function parseFaculty(page: Page): string[] {
  const names = page(".faculty .name")
    .toArray()
    .map((element) => textOf(page(element)));
  return [...new Set(names)].filter(Boolean);
}
