/** The machine's own Chromium, headless; a page that remembers what it asked for and what it complained about. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page, type ViewportSize } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const chromiumPath = PLACES.find((place) => existsSync(place));
/** The suffix of a skipped test's name. */
export const noBrowser = chromiumPath === undefined ? ` (SKIPPED: no Chromium at ${PLACES.join(", ")})` : "";

/** Alone, without talking to its maker. */
const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Nothing here runs long enough for better machine code of WebAssembly to pay.
  "--js-flags=--liftoff-only",
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }), args: ARGUMENTS });

let shared: Promise<Browser> | undefined;

/** The browser of all test files of a process, which ends it. Whoever opens a context or a page closes it. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await shared?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  shared = openBrowser();
  return shared;
}

export interface WatchedPage {
  readonly page: Page;
  /** Every address that the page asked for. */
  readonly requests: string[];
  /** Errors and warnings of the console, and exceptions of scripts. */
  readonly complaints: string[];
}

export async function watchPage(browser: Browser, viewport: ViewportSize): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport });
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  return { page, requests, complaints };
}
