/** What keeps a reader from seeing, reading or hitting something on a page: what axe knows, and what it does not look at. */
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { isWhole } from "../../../support/extent.ts";
import { luminance, POOR_CONTRAST } from "./contrast.ts";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

type Scheme = "light" | "dark";
const [NARROW, WIDE] = [320, 1280];
/** Every rule of axe in each of them: as tables and as cards, in both colours. The suite asks axe about cards only. */
const LOOKS: readonly (readonly [width: number, scheme: Scheme])[] = isWhole
  ? [WIDE, 390, NARROW].flatMap((width) => [[width, "dark"] as const, [width, "light"] as const])
  : [[NARROW, "light"]];

/** Links and controls that a reader of the screen has no words for. */
const NAMELESS = `[...document.querySelectorAll("a, button, input, select, textarea, summary, progress, svg[role=img]")]
  .filter((one) => one.checkVisibility() && !(one.textContent.trim() || one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.title || one.labels?.[0]?.textContent.trim()))
  .map((one) => one.outerHTML)`;
const WITHOUT_CAPTION = `[...document.querySelectorAll("main table:not(:has(caption))")].map((one) => one.outerHTML.slice(0, 200))`;
const HEADINGS = "document.querySelectorAll('h1').length";

/** Not hit by a thumb. An explained word stands in a sentence (WCAG 2.5.8, inline); a box to tick is hit by its label too. */
const SMALL = `[...document.querySelectorAll("button:not(.explained), input:not([type=checkbox], [type=radio]), select")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width * height > 0 && Math.min(width, height) < 24; })
  .map((one) => one.outerHTML)`;

/**
 * Rule and elements. Only these leave the page: all that axe has looked at is megabytes. Its rule about contrast takes
 * as long as all others together, and POOR_CONTRAST is about the same.
 */
const VIOLATIONS = `axe.run({ resultTypes: ["violations"], rules: { "color-contrast": { enabled: ${isWhole} } } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`;

const OPEN_DETAILS = `for (const one of document.querySelectorAll("main details:not([open])")) { one.dataset.shut = ""; one.open = true; }`;
const SHUT_DETAILS = `for (const one of document.querySelectorAll("main details[data-shut]")) { delete one.dataset.shut; one.open = false; }`;
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
const GROUND = "getComputedStyle(document.body).backgroundColor";

/** Resolves when the page has the colours. */
async function showColours(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // Scripts hear of it with the next frame, and colours may take their time.
  await page.evaluate(`${TWO_FRAMES}.then(() => Promise.all(document.getAnimations().map((one) => one.finished)))`);
}

/** What is wrong, each with where, with all disclosures open. The page is as before afterwards, but light. */
export async function faultsOf(page: Page): Promise<unknown[]> {
  const before = page.viewportSize() ?? { width: WIDE, height: 800 };
  const faults: unknown[] = [];
  const look = async (width: number, scheme: Scheme) => {
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ ...before, width });
    await showColours(page, scheme);
  };
  const note = async (name: string, found: string) => {
    for (const one of await page.evaluate<unknown[]>(found)) faults.push([name, one]);
  };
  const noteColours = async (scheme: Scheme) => {
    await note(`contrast, ${scheme}`, POOR_CONTRAST);
    const ground = await page.evaluate<string>(GROUND);
    if (luminance(ground) > 0.5 !== (scheme === "light")) faults.push(["ground", scheme, ground]);
  };
  await page.evaluate(OPEN_DETAILS);
  await look(WIDE, "light");
  // The page's policy forbids `waitForFunction` to poll.
  while ((await page.locator(".skeleton").count()) > 0) await page.waitForTimeout(50);
  await noteColours("light");
  await note("without a name", NAMELESS);
  await note("without a caption", WITHOUT_CAPTION);
  if ((await page.evaluate(HEADINGS)) !== 1) faults.push(["not one main heading"]);

  await look(WIDE, "dark");
  await noteColours("dark");
  if (await page.evaluate<boolean>("!('axe' in window)")) await page.evaluate(AXE);
  for (const [width, scheme] of LOOKS) {
    await look(width, scheme);
    await note(`${width} ${scheme}`, VIOLATIONS);
  }
  const overflow = await page.evaluate<number>(OVERFLOW);
  if (overflow !== 0) faults.push(["scrolls sideways", overflow]);
  await note("hard to hit", SMALL);
  await page.evaluate(SHUT_DETAILS);
  await page.setViewportSize(before);
  return faults;
}
