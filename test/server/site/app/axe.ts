/** What axe finds on a page. */
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Rule and elements of each violation. */
export async function violationsOf(page: Page): Promise<[string, string[]][]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run()");
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
