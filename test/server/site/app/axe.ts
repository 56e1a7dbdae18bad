/** What axe finds on a page. */
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

export const SCHEMES = ["light", "dark"] as const;

/** Resolves when the page has the colours. */
export async function showColours(page: Page, colorScheme: (typeof SCHEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // Scripts hear of it with the next frame, and colours may take their time.
  await page.evaluate(TWO_FRAMES);
  await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))");
}

/** Scheme, rule and elements of each violation. In dark only the colours are other ones. The page is light afterwards. */
export async function violationsOf(page: Page): Promise<[scheme: string, rule: string, elements: string[]][]> {
  await page.evaluate(AXE);
  const found: [string, string, string[]][] = [];
  for (const scheme of [...SCHEMES].toReversed()) {
    await showColours(page, scheme);
    const rules = scheme === "light" ? "" : '{ runOnly: ["color-contrast"] }';
    const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${rules})`);
    for (const { id, nodes } of violations) found.push([scheme, id, nodes.map(({ html }) => html)]);
  }
  return found;
}

const WIDTHS = [320, 390, 1280];

/** The same at each width, which stays as it was. */
export async function violationsAtWidths(
  page: Page,
): Promise<[width: number, ...Awaited<ReturnType<typeof violationsOf>>[number]][]> {
  const before = page.viewportSize() ?? { width: 1280, height: 720 };
  const found: [number, string, string, string[]][] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...before, width });
    for (const violation of await violationsOf(page)) found.push([width, ...violation]);
  }
  await page.setViewportSize(before);
  return found;
}
