/** What all views share, in a real browser: header, former addresses, path prefix, no network; and the views of status, data and reference. */
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { silentLog } from "../../../../pipeline/log.ts";
import { writeRunReport } from "../../../../pipeline/run/run-report.ts";
import { isWhole, someOf } from "../../../support/extent.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serveFolder } from "../../../support/whole-run.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";
import { POOR_CONTRAST } from "./contrast.ts";
import { describeInBrowser, describeWithOwnCampus } from "./opened-page.ts";
import { faultsOf } from "./page-faults.ts";
import { openPageWorld } from "./page-world.ts";
import { runOf } from "../../status/run-of.ts";

describeWithOwnCampus("every view", (opened) => {
  const { sees, text } = opened;

  async function expectHeader(isInTitle = true): Promise<void> {
    // A document has its heading before the script has drawn the view.
    const views = opened.page.getByRole("navigation", { name: "Views" });
    await views.waitFor();
    await sees("h1", "");
    expect(await opened.page.locator("h1").count()).toBe(1);
    const over = opened.page.locator("h1 .over");
    const heading = (await text("h1")).slice((await over.count()) === 0 ? 0 : (await over.innerText()).length).trim();
    if (isInTitle) expect((await opened.page.title()).replaceAll(" · ", " ")).toContain(heading);
    for (const name of ["Find", "Plan", "SQL", "Data", "Reference"])
      expect(await views.getByRole("link", { name, exact: true }).count()).toBe(1);
  }

  it("has the header: the ways to other views, the term of the whole site, and one main heading that the title repeats", async () => {
    await opened.open("/");
    // A statement keeps SQL from running its first example; the reference, which takes long, has a test of its own.
    for (const path of ["/", "/find", "/plan", "/sql?q=select+1", "/data", "/status", "/courses/DANCE10"]) {
      await opened.page.goto(opened.world.url + path);
      await expectHeader(path !== "/");
    }
    await opened.page.getByRole("combobox", { name: "Term" }).selectOption("2024 Fall");
    await opened.page.waitForURL(/term=2024\+Fall/);
    await opened.page.getByRole("link", { name: "Plan" }).click();
    await opened.page.waitForURL(/\/plan\?term=2024\+Fall/);
    // A code is of one term: elsewhere it would be another section.
    await opened.open("/sections/2024/Fall/35730");
    await opened.page.getByRole("combobox", { name: "Term" }).first().selectOption("2023 Fall");
    await opened.page.waitForURL(/\/courses\/I%26CSCI46\?term=2023\+Fall/);
    await sees("h1", "Data Structure");
  });

  it("the search takes its shortcut and what is typed from the moment that it is there", async () => {
    await opened.open("/");
    await opened.context.addInitScript(`new MutationObserver((_, observer) => {
      const field = document.querySelector('[aria-label="Search this site"] input');
      if (!field) return;
      observer.disconnect();
      dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
      globalThis.isReached = document.activeElement === field;
      field.value = "dance";
    }).observe(document, { childList: true, subtree: true })`);
    await opened.page.reload();
    await expectHeader(false);
    await opened.page.waitForLoadState("networkidle");
    const [isReached, value] = await opened.page.evaluate<[boolean, string]>(
      `[globalThis.isReached, document.querySelector('[aria-label="Search this site"] input').value]`,
    );
    expect([isReached, value]).toEqual([true, "dance"]);
  });

  it("an unknown address is a page for people", async () => {
    await opened.visit("/course/I%26CSCI46");
    await sees("h1", "Page not found");
    await sees(".results", "I&C SCI 46");
    opened.allow(404);
    await opened.visit("/courses/DANCE11");
    await sees(".problem", "not found");
    await sees(".results", "DANCE10");
    expect(await opened.page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    opened.allow(404);
    await opened.visit("/departments/DANC");
    await sees(".results", "DANCE");
    opened.allow(404);
  });

  it("a former address leads to the view", async () => {
    await opened.open("/#course/I%26CSCI46?term=2024%20Fall");
    await opened.page.waitForURL(/\/courses\/I%26CSCI46\?term=2024\+Fall$/);
    await sees("h1", "Data Structure");
  });

  it("works without a network where it was visited", async () => {
    const page = await opened.open("/status");
    await sees("main", "Needs attention");
    await page.evaluate("navigator.serviceWorker.ready");
    // The second visit is the first one that the service worker sees whole.
    await page.reload();
    await sees("main", "Needs attention");
    await page.reload();
    await sees("main", "Needs attention");
    // Files of tables would take the place of pages.
    await page.evaluate("fetch('/v1/data/manifest.json').then((response) => response.text())");
    const kept = await page.evaluate<string[]>(
      "caches.open('visited-1').then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))",
    );
    expect([kept.length > 0, kept.filter((url) => url.includes("/v1/data/"))]).toEqual([true, []]);
    await opened.context.setOffline(true);
    await page.reload();
    await sees("main", "Needs attention");
    await sees(".offline", "You are offline. Showing data as of");
    await page.close();
    opened.allowAll();
  });

  it("status: one sentence, what needs attention, and nothing of the run's words is markup", async () => {
    const report = runOf([
      { product: "schedule", status: "failed", error: "the disk is full: /srv/academic/x.parquet" },
      {
        product: "grades",
        read: 59_914,
        kept: 59_902,
        dropped: [{ reason: "<script>alert(1)</script>", count: 12, names: ["A&B.csv row 7: 2016 Winter 01011"] }],
        damaged: ["file:///srv/exports/UG_Grades.xlsx is no workbook"],
      },
    ]);
    await writeRunReport(opened.world.artifacts, report, silentLog);
    await opened.visit("/status");
    await sees("main", "schedule: the disk is full: x.parquet");
    const shown = (await opened.page.locator("main").textContent()) ?? "";
    for (const words of [
      "last refresh",
      opened.world.id,
      "UG_Grades.xlsx is no workbook",
      "<script>alert(1)</script>",
      "A&B.csv row 7: 2016 Winter 01011",
      "59,914",
      "59,902",
    ])
      expect(shown).toContain(words);
    expect(shown).not.toContain("/srv");
  });

  it("data: each table with its rows and what a row is", async () => {
    await opened.visit("/data");
    await sees("main", "sections");
    const shown = await text("main");
    expect(shown).toContain("read_parquet");
    expect(shown).not.toMatch(/\bper an?\b/i);
  });

  it("reference: lists every operation, tries one, gets 200", async () => {
    const page = await opened.visit("/docs");
    await expectHeader();
    await page.locator(".opblock").first().waitFor();
    expect(await page.locator(".opblock").count()).toBeGreaterThan(endpoints.length);
    expect(await page.locator(".info").textContent()).toContain("ZERO-BASED");
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => page.evaluate(POOR_CONTRAST)).toEqual([]);
    }
    // Axe takes ten seconds for so large a page.
    if (isWhole) expect(await faultsOf(page)).toEqual([]);
    const operation = page.locator("#operations-Courses-courses");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".try-out__btn").click();
    await operation.locator('tr[data-param-name="department"] input').fill("DANCE");
    await operation.locator('tr[data-param-name="courseLevel"] select').selectOption("LowerDiv");
    const asked = page.waitForResponse((response) => response.url().includes("/v1/rest/courses?"));
    await operation.locator(".execute").click();
    expect((await asked).status()).toBe(200);
    expect(await operation.locator(".live-responses-table .microlight").first().textContent()).toContain("DANCE10");
  });
});

/** The small campus below /academic, as a proxy serves it: `outside` has what was asked for elsewhere. */
async function openBehindProxy() {
  const world = await openPageWorld({ BASE_PATH: "/academic" });
  const outside: string[] = [];
  const proxy = createServer((request, response) => {
    if (!request.url?.startsWith("/academic")) {
      outside.push(request.url ?? "");
      return void response.writeHead(404).end();
    }
    const { hostname, port } = new URL(world.url);
    const onward = { hostname, port, path: request.url, headers: request.headers, agent: false };
    send(onward, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/academic`,
    outside,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await world.close();
    },
  };
}

describeInBrowser(
  "a proxy that serves this server below /academic",
  (opened) => {
    const paths = ["/sql", "/", "/find", "/docs", "/data", "/status", "/courses/DANCE10"];
    it.each(someOf(paths, 3))("%s", async (path) => {
      await opened.visit(path);
      await opened.page.locator("h1").waitFor();
      await opened.page.waitForLoadState("networkidle");
      const views = opened.page.getByRole("navigation", { name: "Views" });
      await views.getByRole("link", { name: "Data", exact: true }).click();
      await opened.page.waitForURL(/\/academic\/data/);
      expect(opened.world.outside).toEqual([]);
    });
  },
  openBehindProxy,
);

describeInBrowser(
  "before anything is published",
  (opened) => {
    it("home says so", async () => {
      await opened.open("/");
      await opened.sees("main", "No data has been published yet.");
      await opened.page.waitForLoadState("networkidle");
      opened.allow(503);
    });
  },
  async () => serveFolder(await openFolder()),
);

const THREE_HOURS_AGO = new Date(Date.now() - 3 * 3_600_000);
async function openOverdue() {
  const folder = await openFolder();
  const sections = [sectionRow({})];
  await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) }, { now: THREE_HOURS_AGO });
  return serveFolder(folder);
}

describeInBrowser(
  "when the refresh did not come for three hours",
  (opened) => {
    it("status and every footer say since when it is overdue", async () => {
      await opened.open("/status");
      await opened.sees("main", "✕ Data is out of date: last refresh 3 hours ago, overdue since ");
      await opened.sees("footer", "Published 3 hours ago, overdue since ");
      const due = new Date(THREE_HOURS_AGO.getTime() + 3_600_000).toISOString();
      const time = opened.page.locator(`time[datetime="${due}"]`);
      expect(await time.count()).toBe(2);
      expect(await time.first().getAttribute("title")).toBe("2 hours ago");
      await opened.page.waitForLoadState("networkidle");
    });
  },
  openOverdue,
);
