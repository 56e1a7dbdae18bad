/**
 * What a reader sees does not move while a page loads (https://web.dev/articles/cls), wide and narrow, in whatever
 * order its data arrive.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { partOf } from "../../../support/extent.ts";
import { describeInBrowser } from "./opened-page.ts";

const PATHS = [
  ...["/", "/find", "/find?department=DANCE", "/find?q=qqqqqq", "/courses/I%26CSCI46", "/sections/2024/Fall/35730"],
  ...["/departments/DANCE", "/sql", "/data", "/status", "/docs"],
];
const MAX_SHIFT = 0.05;
/** The longest delay of a response, in milliseconds. */
const MAX_DELAY_MS = 300;

/** Adds up the shifts that follow no input. */
const OBSERVE = `globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
  }).observe({ type: "layout-shift", buffered: true });`;

describeInBrowser("while a page loads", (opened) => {
  it.each([
    [1280, 0],
    [390, 1],
  ])("nothing moves at %i pixels", async (width, turn) => {
    const page = await opened.open("/status", { viewport: { width, height: 850 } });
    await page.addInitScript(OBSERVE);
    await page.route("**/v1/**", async (route) => {
      await sleep(Math.random() * MAX_DELAY_MS);
      // The page may have been left.
      await route.continue().catch(() => undefined);
    });
    const shifts: (readonly [path: string, shift: number])[] = [];
    for (const path of partOf(PATHS, turn, 2)) {
      await page.goto(opened.world.url + path);
      await page.locator("h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
      shifts.push([path, await page.evaluate<number>("globalThis.shift")]);
    }
    expect(shifts.filter(([, shift]) => shift > MAX_SHIFT)).toEqual([]);
  });
});
