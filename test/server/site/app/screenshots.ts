/**
 * `npm run -s screenshots`: a picture of every page in .github/, wide and narrow, light and dark. `make serve` must be
 * running, with the sample campus; PORT names another port than 3000.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../../../support/browser.ts";

const FOLDER = fileURLToPath(new URL("../../../../.github/", import.meta.url));
/** In percent: a picture has about 25 kB. */
const QUALITY = 25;
const BASE = `http://localhost:${process.env["PORT"] ?? 3000}`;

const json = async <T>(path: string): Promise<T> => (await (await fetch(BASE + path)).json()) as T;

interface Schedule {
  readonly schools: readonly {
    readonly departments: readonly {
      readonly courses: readonly {
        readonly courseNumber: string;
        readonly sections: readonly { readonly sectionCode: string }[];
      }[];
    }[];
  }[];
}

const DEPARTMENT = "COMPSCI";
/** Courses of the plan, and sections of each. */
const [PLANNED_COURSES, PLANNED_SECTIONS] = [3, 2];

/** Reads the term that students plan, courses of a department in it, and who taught the first of them last. */
async function readExamples() {
  const { term } = (await json<{ snapshot: { term: string } }>("/")).snapshot;
  const [year = "", quarter = ""] = term.split(" ");
  const query = new URLSearchParams({ year, quarter, department: DEPARTMENT });
  const { schools } = await json<Schedule>(`/v1/rest/schedule?${query.toString()}`);
  const scheduled = schools.flatMap(({ departments }) => departments.flatMap(({ courses }) => courses));
  const courses = scheduled.slice(0, PLANNED_COURSES);
  const codes = courses.flatMap(({ sections }) =>
    sections.slice(0, PLANNED_SECTIONS).map(({ sectionCode }) => sectionCode),
  );
  const id = `${DEPARTMENT}${courses[0]?.courseNumber}`;
  const { instructorHistory } = await json<{ instructorHistory: readonly string[] }>(`/v1/rest/courses/${id}`);
  const names = courses.map(({ courseNumber }) => `${DEPARTMENT} ${courseNumber}`);
  return { term, year, quarter, id, names, codes, netid: instructorHistory[0] ?? "" };
}

const { term, year, quarter, id, names, codes, netid } = await readExamples();

const PAGES: Readonly<Record<string, string>> = {
  home: "/",
  find: "/find?q=open+ge+4+afternoon",
  course: `/courses/${id}`,
  plan: "/plan",
  section: `/sections/${year}/${quarter}/${codes[0]}`,
  instructor: `/instructors/${netid}`,
  department: `/departments/${DEPARTMENT}`,
  sql: "/sql",
  data: "/data",
  docs: "/docs",
  status: "/status",
};

const wide: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
const narrow: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const FORMS: Readonly<Record<string, BrowserContextOptions>> = {
  "": wide,
  "-dark": { ...wide, colorScheme: "dark" },
  "-narrow": narrow,
  "-narrow-dark": { ...narrow, colorScheme: "dark" },
};

async function store(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await writeFile(`${FOLDER}${name}.webp`, Buffer.from(data, "base64"));
}

const plans = JSON.stringify({ [term]: { shown: 0, plans: [{ name: "Plan A", courses: names, codes }] } });
const browser = await openBrowser();
try {
  for (const [form, options] of Object.entries(FORMS)) {
    const context = await browser.newContext({ ...options, reducedMotion: "reduce", serviceWorkers: "block" });
    await context.addInitScript(`localStorage.setItem("plans", ${JSON.stringify(plans)})`);
    for (const [name, path] of Object.entries(PAGES)) {
      const page = await context.newPage();
      await page.goto(BASE + path);
      await page.locator("h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      while ((await page.locator(".skeleton").count()) > 0) await page.waitForTimeout(50);
      await store(page, name + form);
      await page.close();
      process.stdout.write(`${name}${form}.webp\n`);
    }
    await context.close();
  }
} finally {
  await browser.close();
}
