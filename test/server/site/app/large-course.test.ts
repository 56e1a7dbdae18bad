/** Pages of courses as large as a real university has them, on a phone with a slow network. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";
import { openLargeWorld } from "./large-world.ts";

/** Bytes a second, and milliseconds to the server and back. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const PHONE = { viewport: { width: 390, height: 844 }, serviceWorkers: "block" } as const;

/** Sums what moves without the reader's doing, and notes what the main heading was when it was first seen. */
const WATCH = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  addEventListener("DOMContentLoaded", () => (window.firstHeading = document.querySelector("h1")?.textContent));`;

type World = Awaited<ReturnType<typeof openLargeWorld>>;

describeInBrowser<World>(
  "a large course",
  (opened) => {
    it.each([
      ["/courses/MATH2B", "Single-Variable Calculus", 6000],
      ["/courses/BIOSCI199", "Research", 6000],
    ])(
      "%s has its heading with the document, few requests, and a page that can be scrolled through",
      async (path, heading, most) => {
        const page = await opened.open("/data", PHONE);
        const network = await opened.context.newCDPSession(page);
        await network.send("Network.enable");
        await network.send("Network.emulateNetworkConditions", SLOW);
        await page.addInitScript(WATCH);
        const asked: string[] = [];
        page.on("request", (request) => {
          if (request.resourceType() === "fetch") asked.push(request.url());
        });
        await page.goto(`${opened.world.url}${path}?term=2024+Fall`);
        await page.waitForLoadState("networkidle");
        await opened.sees(".graders", "Everyone");
        await opened.sees("main", "lectures, open ones first");
        const [first, shift, height, nodes] = await page.evaluate<[string, number, number, number]>(
          "[firstHeading, shift, document.documentElement.scrollHeight, document.querySelectorAll('*').length]",
        );
        expect(first).toContain(heading);
        expect(shift).toBeLessThan(0.1);
        expect(height).toBeLessThanOrEqual(most);
        expect(nodes).toBeLessThanOrEqual(3000);
        expect(asked.length).toBeLessThanOrEqual(12);
        // People of a name that several have included.
        expect(asked.filter((url) => url.includes("/instructors")).length).toBeLessThanOrEqual(4);
      },
    );
  },
  openLargeWorld,
);
