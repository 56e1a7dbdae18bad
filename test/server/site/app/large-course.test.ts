/** Pages of courses as large as a real university has them, of a plan with them and of a person, on a phone with a slow network. */
import type { Page } from "playwright-core";
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
    /** Opens the site as one that was visited before. */
    async function openSlowly(): Promise<Page> {
      const page = await opened.open("/data", PHONE);
      const network = await opened.context.newCDPSession(page);
      await network.send("Network.enable");
      await network.send("Network.emulateNetworkConditions", SLOW);
      await page.addInitScript(WATCH);
      return page;
    }

    it.each([
      ["/courses/MATH2B", "Single-Variable Calculus", 6000],
      ["/courses/BIOSCI199", "Research", 6000],
    ])(
      "%s has its heading with the document, few requests, and a page that can be scrolled through",
      async (path, heading, most) => {
        const page = await openSlowly();
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

    it.each([
      ["/plan", ".plan-list li"],
      ["/instructors/person0", "table.sortable"],
    ])("%s does not move while it loads, and can be scrolled through", async (path, content) => {
      const page = await openSlowly();
      const codes = ["44000", "44001", "44011", "06000", "06001", "06002"];
      const plans = { "2024 Fall": { shown: 0, plans: [{ name: "Plan A", courses: [], codes }] } };
      await page.evaluate(`localStorage.setItem("plans", ${JSON.stringify(JSON.stringify(plans))})`);
      await page.goto(`${opened.world.url}${path}?term=2024+Fall`);
      await page.locator(content).first().waitFor();
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
      const [shift, height] = await page.evaluate<[number, number]>("[shift, document.documentElement.scrollHeight]");
      expect(shift).toBeLessThanOrEqual(0.05);
      expect(height).toBeLessThanOrEqual(6500);
    });
  },
  openLargeWorld,
);
