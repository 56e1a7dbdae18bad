/** The start page in a real browser: search, charts, keyboard, SQL, dark, narrow, and nothing that leaves the host. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { luminance, POOR_CONTRAST } from "./contrast.ts";
import { openPageWorld } from "./page-world.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"];
const executablePath = PLACES.find((path) => existsSync(path));
if (executablePath === undefined)
  process.stdout.write(`skipped: the start page was not opened, there is no Chromium at ${PLACES.join(", ")}\n`);

const ARGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

let world: Awaited<ReturnType<typeof openPageWorld>>;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What every test of this file must not have: requests to elsewhere, and errors on the console. */
let strangers: string[];
let complaints: string[];

async function open(path = "/", options: Parameters<Browser["newContext"]>[0] = {}): Promise<void> {
  context = await browser.newContext({ viewport: { width: 1100, height: 800 }, reducedMotion: "reduce", ...options });
  page = await context.newPage();
  [strangers, complaints] = [[], []];
  context.on("request", (request) => {
    if (!request.url().startsWith(`${world.url}/`) && !request.url().startsWith("data:")) strangers.push(request.url());
  });
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(world.url + path);
}

const text = async (selector: string) => (await page.locator(selector).first().innerText()).replaceAll(/\s+/g, " ");
const sees = (selector: string, words: string) =>
  page.locator(selector, { hasText: words }).first().waitFor({ timeout: 10_000 });
const overflow = () => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

describe.skipIf(executablePath === undefined)("the start page in Chromium", () => {
  beforeAll(async () => {
    world = await openPageWorld();
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: ARGS.split(" ") });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(async () => {
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("search → result → charts, sections with seats, enrollment; the address can be shared, the back button works", async () => {
    await open();
    await page.fill("#q", "data structur");
    await page.locator("[role=option]", { hasText: "I&C SCI 46" }).click();
    await sees("#view h2", "Data Structure Implementation");
    expect(page.url()).toContain("#course/I%26CSCI46");
    // Six sections of 34 A each, over three years.
    expect(await text("#view figure")).toContain("738 grades in 6 sections, average 2.75");
    const distribution = page.getByRole("img", { name: "Grades 738 grades in 6 sections, average 2.75." });
    expect(await distribution.locator("rect").count()).toBe(8);
    const trend = page.getByRole("img", { name: "Average by year 2.50 in 2021, 3.00 in 2023." });
    expect(await trend.locator("circle").count()).toBe(3);
    await page.locator("#view figure summary").first().click();
    expect(await text("#view figure tbody tr")).toMatch(/A 204 28%/);
    // The newest term has no section of this course: the one before it is shown.
    expect(await page.locator("#view select").first().inputValue()).toBe("2024 Fall");
    const lecture = await text(".sections tr:has-text('35730')");
    expect(lecture).toMatch(/Lec A AMBERLEY, R\. M W F 10:00 am–10:50 am ALP 2300 12 \/ 150 7 waitlist/);
    expect(await text("#view h3:has-text('Enrollment') + div")).toMatch(
      /30 days recorded: 40 of 150 seats on 1 Sept? 2024/,
    );
    // Steps: from one day to the next a curve goes sideways or up and down.
    const steps = (await page.locator(".line-enrolled path").getAttribute("d"))?.match(/-?[\d.]+,-?[\d.]+/g) ?? [];
    const corners = steps.map((step) => step.split(",").map(Number));
    expect(corners.length).toBeGreaterThan(30);
    corners.slice(1).forEach(([x, y], i) => expect(x === corners[i]?.[0] || y === corners[i]?.[1]).toBe(true));
    // Text of a catalogue is text, also where it looks like markup.
    expect(await text("#view .text")).toBe("Trees <b>and</b> tables.");
    for (const link of await page.locator("#view .json a").all())
      expect((await context.request.get(world.url + (await link.getAttribute("href")))).status()).toBe(200);

    const shared = page.url();
    await page.getByRole("link", { name: "SQL", exact: true }).click();
    expect(await page.evaluate("location.hash")).toBe("#sql");
    await sees("#view h2", "Data Structure Implementation");
    await page.goBack();
    await sees("#view h2", "Data Structure Implementation");
    await page.goBack();
    await page.locator("#view h2").waitFor({ state: "detached" });
    expect(await page.title()).toBe("Academic Data REST Service");
    await page.goForward();
    await sees("#view h2", "Data Structure Implementation");
    await page.goto("about:blank");
    await page.goto(shared);
    await sees("#view h2", "Data Structure Implementation");
  });

  it("a section code leads to its course with the section marked; terms can be chosen; a missing course is said in words", async () => {
    await open("/?q=35731");
    await page.locator(".results a", { hasText: "35731" }).click();
    await sees("#view h2", "Data Structure Implementation");
    expect(await text(".sections [aria-current=true]")).toContain("35731");
    expect(await text("#view h3:has-text('Enrollment') + div")).toMatch(
      /Recorded on one day so far, 30 Sept? 2024: 30 of 150/,
    );
    await page.goto(`${world.url}/#course/I%26CSCI46`);
    await sees("#view h2", "Data Structure Implementation");
    await page.locator("#view select").first().selectOption("2023 Fall");
    await sees(".sections caption", "1 section in 2023 Fall");
    expect(page.url()).toContain("term=2023%20Fall");
    await page.goto(`${world.url}/#course/NOBODY1`);
    await sees("[role=alert]", 'Course "NOBODY1" not found');
    // The browser itself reports the answer 404.
    complaints = complaints.filter((one) => !one.includes("404"));
  });

  it("works by keyboard alone, and tells a screen reader what happens", async () => {
    await open();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the result");
    for (let i = 0; i < 12 && (await page.evaluate("document.activeElement.id")) !== "q"; i++)
      await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.id")).toBe("q");
    const field = page.getByRole("combobox", { name: "Course, instructor, department or section code" });
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.type("quillen");
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor();
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    await sees("[role=status]", "1 suggestion");
    await page.keyboard.press("ArrowDown");
    const active = await field.getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    expect(await field.inputValue()).toBe("quillen");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await sees("#view h2", "Tamsin Quillen");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Tamsin Quillen");
    expect(await page.title()).toMatch(/^Tamsin Quillen/);
    // Enter without a chosen suggestion sends the search.
    await field.focus();
    await field.fill("dance");
    await page.keyboard.press("Enter");
    await sees("#view h2", "Found for “dance”");
    expect(await page.locator(".results a").first().innerText()).toContain("Dance");
  });

  it("answers SQL in the browser as the server would, fetching only what the statement names", async () => {
    await open();
    // Nothing of the database is fetched before the first statement.
    const isOfDatabase = (path: string) => /duckdb|parquet/.test(path);
    const before = await page.evaluate<string[]>("performance.getEntriesByType('resource').map((one) => one.name)");
    expect(before.filter(isOfDatabase)).toEqual([]);
    const fetched: string[] = [];
    context.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    const run = async (statement: string) => {
      await page.fill("#statement", statement);
      await page.keyboard.press("Control+Enter");
      await page.locator("#sqlBox button[type=submit]:not([disabled])").waitFor({ timeout: 90_000 });
      await page.locator("#sqlBox .scroll, #sqlBox [role=alert]").waitFor({ timeout: 30_000 });
      return text("#sqlBox .scroll, #sqlBox [role=alert]");
    };
    const cells = async () =>
      (await page.locator("#sqlBox .scroll tbody tr").allInnerTexts()).map((row) => row.split("\t"));

    await run("select count(*) as n from grades");
    const served = (await world.json<unknown[]>("/grades/raw")).length;
    expect(await cells()).toEqual([[String(served)]]);
    expect(fetched.filter((path) => path.includes("/grades/"))).toHaveLength(3);
    expect(fetched.filter(isOfDatabase).length).toBeGreaterThan(3);
    expect(fetched.filter((path) => path.includes("/sections/"))).toEqual([]);
    expect(page.url()).toContain("#sql?statement=");

    await run(
      "select sectionCode, maxCapacity::int as seats, meetings[1].bldg[1] as room, finalExam.examStatus as final from sections where year = '2024' and quarter = 'Fall' order by 1",
    );
    expect(await cells()).toEqual([
      ["35730", "150", "ALP 2300", "NO_FINAL"],
      ["35731", "30", "ICS 189", "NO_FINAL"],
    ]);
    expect(fetched.filter((path) => path.includes("/sections/"))).toHaveLength(1);

    // Types arrive as they are published: decimals, dates, maps, lists of structures.
    await run("select sum(averageGPA) as gpa, typeof(any_value(averageGPA)) as type from grades");
    expect(await cells()).toEqual([["16.5", "DECIMAL(4,2)"]]);
    await run(`select courseHistory['I&C SCI 46'] as terms from instructors where netid = 'ramberley'`);
    expect((await cells())[0]?.[0]).toContain("2024 Fall");
    await run(
      "select first, totalEnrolled as taken from enrollment_periods where month = '2024-09' order by first limit 2",
    );
    expect(await cells()).toEqual([
      ["2024-09-01", "40"],
      ["2024-09-11", "110"],
    ]);

    expect(await run("select nothing from grades")).toMatch(/Binder Error.*nothing/);
    expect(await run("selec 1")).toMatch(/Parser Error/);
    expect(await run("select * from read_parquet('https://elsewhere.example/x.parquet')")).toMatch(/Error/);
    await run("select 1 + 1 as two");
    expect(await cells()).toEqual([["2"]]);
  });

  it("asks before it loads much for a statement", async () => {
    await open();
    await context.route("**/v1/data/manifest.json", async (route) => {
      const response = await route.fetch();
      const manifest = (await response.json()) as { tables: { grades: { files: { bytes: number }[] } } };
      for (const file of manifest.tables.grades.files) file.bytes = 3e6;
      await route.fulfill({ response, json: manifest });
    });
    const run = page.locator("#sqlBox button[type=submit]");
    const ask = async (statement: string) => {
      await page.fill("#statement", statement);
      expect(await run.innerText()).toBe("Run");
      await run.click();
    };
    await ask("select count(*) as n from grades");
    await sees("#sqlBox [role=status]", "This reads grades (3 files, 9.0 MB, 6 rows). A condition");
    expect(await run.innerText()).toBe("Load 9.0 MB and run");
    await run.click();
    await page.locator("#sqlBox td", { hasText: "6" }).waitFor({ timeout: 90_000 });
    await ask("select count(*) as n from grades where year = '2023'");
    await page.locator("#sqlBox td", { hasText: "2" }).waitFor();
  });

  it.each([
    ["light", 390],
    ["dark", 1100],
  ] as const)("%s at %i pixels: nothing to scroll sideways, every text can be read", async (colorScheme, width) => {
    await open("/#course/I%26CSCI46", { colorScheme, viewport: { width, height: 844 } });
    await sees("#view h3", "Enrollment");
    expect(await overflow()).toBe(0);
    const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(luminance(ground as string) > 0.5).toBe(colorScheme === "light");
    expect(await page.evaluate(POOR_CONTRAST)).toEqual([]);
    await page.goto(`${world.url}/?q=data`);
    await page.fill("#q", "da");
    await page.getByRole("option").first().waitFor();
    expect(await overflow()).toBe(0);
  });

  it("every control has a name, every picture a text", async () => {
    await open("/#course/I%26CSCI46");
    await sees("#view h3", "Enrollment");
    const nameless =
      await page.evaluate(`[...document.querySelectorAll("a, button, input, select, textarea, summary, progress, svg[role=img]")]
      .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.[0]?.textContent.trim()))
      .map((one) => one.outerHTML)`);
    expect(nameless).toEqual([]);
    expect(await page.evaluate(`document.querySelectorAll("table:not(:has(caption))").length`)).toBe(0);
    expect(
      await page
        .getByRole("table", { name: /2 sections in 2024 Fall/ })
        .getByRole("rowheader")
        .count(),
    ).toBe(2);
    for (const target of await page.locator("button, input, select").all()) {
      const box = await target.boundingBox();
      if (box) expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    }
  });
});
