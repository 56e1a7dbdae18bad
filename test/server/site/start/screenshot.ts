/** `npm run -s screenshot`: the README's picture of the start page. `make serve` must be running, with the sample campus. */
import { fileURLToPath } from "node:url";
import { openBrowser } from "../../../support/browser.ts";

const FILE = fileURLToPath(new URL("../../../../.github/start-page.png", import.meta.url));
const COURSE = "/?q=ics+46#course/I%26CSCI46";

const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 1120 }, reducedMotion: "reduce" });
  await page.goto(`http://localhost:${process.env["PORT"] ?? 3000}${COURSE}`);
  await page.locator("#view svg").first().waitFor();
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
  await page.screenshot({ path: FILE });
} finally {
  await browser.close();
}
