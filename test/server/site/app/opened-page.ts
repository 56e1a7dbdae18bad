/** The site over the small campus of `page-world.ts`, or another one, in the machine's Chromium. */
import { type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { chromiumPath, noBrowser, sharedBrowser } from "../../../support/browser.ts";
import { once } from "../../../support/once.ts";
import { openPageWorld } from "./page-world.ts";

type World = Awaited<ReturnType<typeof openPageWorld>>;

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a world that tests only read once for those of all files of the process: nobody closes it. */
export const openForAll = <W extends Served>(open: () => Promise<W>): (() => Promise<W>) =>
  once(async () => ({ ...(await open()), close: () => Promise.resolve() }));
const pageWorld = openForAll(() => openPageWorld());

export interface OpenedPage<W = World> {
  readonly world: W;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a path in a new context; what was open before is closed. */
  open(path?: string, options?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
  /** The same for a test to which it is all one whether the files of the site are new: in the page that is open, with nothing stored by it. */
  visit(path?: string): Promise<Page>;
  /** By keyboard: types into the search of the header, and chooses the first suggestion. */
  search(words: string): Promise<void>;
  /** The text of the first match, with single blanks. */
  text(selector: string): Promise<string>;
  sees(selector: string, words: string): Promise<void>;
  /** Pixels that can be scrolled sideways. */
  overflow(): Promise<number>;
  /** Forgets the errors on the console that the browser itself reports for a status. */
  allow(status: number): void;
  /** Forgets all of them: there was no network. */
  allowAll(): void;
}

/** Tests with one server. Every test must leave without requests to elsewhere and without errors on the console. */
export function describeInBrowser<W extends Served = World>(
  name: string,
  tests: (opened: OpenedPage<W>) => void,
  openWorld = pageWorld as unknown as () => Promise<W>,
): void {
  describe.skipIf(chromiumPath === undefined)(`${name}${noBrowser}`, () => {
    let world: W;
    let browser: Browser;
    let context: BrowserContext | undefined;
    let page: Page;
    /** Nobody has changed what the page asks for or may do. */
    let isPlain = false;
    let [strangers, complaints]: [string[], string[]] = [[], []];

    beforeAll(async () => {
      [world, browser] = await Promise.all([openWorld(), sharedBrowser()]);
    });
    afterAll(async () => {
      await context?.close();
      await world?.close();
    });
    afterEach(() => {
      expect(strangers.splice(0)).toEqual([]);
      expect(complaints.splice(0)).toEqual([]);
    });

    async function open(path = "/", options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
      await context?.close();
      isPlain = Object.keys(options).length === 0;
      const opened = await browser.newContext({
        viewport: { width: 1100, height: 800 },
        reducedMotion: "reduce",
        ...options,
      });
      context = opened;
      page = await opened.newPage();
      [strangers, complaints] = [[], []];
      opened.on("request", (request) => {
        if (!request.url().startsWith(`${new URL(world.url).origin}/`) && !request.url().startsWith("data:"))
          strangers.push(request.url());
      });
      opened.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(world.url + path);
      return page;
    }

    tests({
      get world() {
        return world;
      },
      get context() {
        isPlain = false;
        return context as BrowserContext;
      },
      get page() {
        return page;
      },
      open,
      async visit(path = "/") {
        if (!isPlain || page.isClosed()) return open(path);
        await page.evaluate("localStorage.clear(), sessionStorage.clear()");
        await page.goto(world.url + path);
        return page;
      },
      async search(words) {
        await page.getByRole("search", { name: "Search this site" }).getByRole("combobox").waitFor();
        await page.keyboard.press("Control+k");
        await page.keyboard.type(words);
        await page.getByRole("listbox").getByRole("option").first().waitFor();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
      },
      text: async (selector) => (await page.locator(selector).first().innerText()).replaceAll(/\s+/g, " "),
      sees: (selector, words) => page.locator(selector, { hasText: words }).first().waitFor({ timeout: 30_000 }),
      overflow: () => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
      allowAll: () => (complaints = []),
      allow: (status) => (complaints = complaints.filter((one) => !one.includes(String(status)))),
    });
  });
}

/** For tests that publish something into the small campus. */
export const describeWithOwnCampus = (name: string, tests: (opened: OpenedPage) => void): void =>
  describeInBrowser(name, tests, () => openPageWorld());
