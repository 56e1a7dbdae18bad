/**
 * `npm run -s screenshots`: pictures of the views into dist/screenshots/, and small ones of those that students use into .github/, with the README's.
 * `make serve` must be running, with the sample campus; PORT names another port than 3000.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../../../support/browser.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDER = `${ROOT}dist/screenshots/`;
const SMALL_FOLDER = `${ROOT}.github/`;
/** Of the small pictures, in percent. */
const QUALITY = 25;
const BASE = `http://localhost:${process.env["PORT"] ?? 3000}`;

const json = async <T>(path: string): Promise<T> => (await (await fetch(BASE + path)).json()) as T;

interface Schedule {
  readonly schools: readonly {
    readonly departments: readonly {
      readonly courses: readonly { readonly sections: readonly { readonly sectionCode: string }[] }[];
    }[];
  }[];
}

/** Of the plan. */
const COURSES = ["I&C SCI 46", "MATH 2B", "COMPSCI 161"];

/** The newest term, the first sections of these courses in it, and the person who taught it last. */
async function readExamples() {
  const [term = ""] = (await json<{ snapshot: { terms: string[] } }>("/")).snapshot.terms;
  const [year = "", quarter = ""] = term.split(" ");
  const codes = await Promise.all(
    COURSES.map(async (course) => {
      const at = course.lastIndexOf(" ");
      const key = { department: course.slice(0, at), courseNumber: course.slice(at + 1) };
      const query = new URLSearchParams({ year, quarter, ...key });
      const { schools } = await json<Schedule>(`/v1/rest/schedule?${query.toString()}`);
      const courses = schools.flatMap(({ departments }) => departments.flatMap((one) => one.courses));
      return courses.flatMap(({ sections }) => sections.map(({ sectionCode }) => sectionCode));
    }),
  );
  const { instructorHistory } = await json<{ instructorHistory: readonly string[] }>("/v1/rest/courses/I%26CSCI46");
  return { term, year, quarter, codes: codes.flatMap((all) => all.slice(0, 2)), netid: instructorHistory[0] ?? "" };
}

const { term, year, quarter, codes, netid } = await readExamples();
const wide: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
const narrow: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const dark: BrowserContextOptions = { ...wide, colorScheme: "dark" };
/** What is looked at in every form. */
const FORMS = {
  "": wide,
  "-dark": dark,
  "-narrow": narrow,
  "-narrow-dark": { ...narrow, colorScheme: "dark" },
} as const;
const inTerm = new URLSearchParams({ term }).toString();

const PICTURES: readonly (readonly [name: string, path: string, options: BrowserContextOptions])[] = [
  ...Object.entries(FORMS).flatMap(([form, options]) =>
    [
      ["home", "/"],
      ["find", `/find?${inTerm}&q=open+ge+4+tuth+afternoon`],
      ["course", "/courses/I%26CSCI46"],
      ["plan", `/plan?${inTerm}`],
    ].map(([name = "", path = ""]) => [name + form, path, options] as const),
  ),
  ["section", `/sections/${year}/${quarter}/${codes[0]}`, dark],
  ["instructor", `/instructors/${netid}`, wide],
  ["department", "/departments/COMPSCI", dark],
  ["sql", "/sql", wide],
  ["status", "/status", wide],
];

/** What students use. */
const isSmall = (name: string): boolean => /^(home|find|course|plan)/.test(name);

async function storeSmall(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await writeFile(`${SMALL_FOLDER}${name}.webp`, Buffer.from(data, "base64"));
}

const browser = await openBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, path, options] of PICTURES) {
    const context = await browser.newContext({ ...options, reducedMotion: "reduce", serviceWorkers: "block" });
    const plan = { name: "Plan A", courses: COURSES, codes };
    const plans = JSON.stringify({ [term]: { shown: 0, plans: [plan] } });
    await context.addInitScript(`localStorage.setItem("plans", ${JSON.stringify(plans)})`);
    const page = await context.newPage();
    await page.goto(BASE + path);
    await page.locator("h1").waitFor();
    await page.waitForLoadState("networkidle");
    while ((await page.locator(".skeleton").count()) > 0) await page.waitForTimeout(50);
    await page.screenshot({ path: `${FOLDER}${name}.png` });
    if (isSmall(name)) await storeSmall(page, name);
    if (name === "course") await page.screenshot({ path: `${ROOT}.github/site.png` });
    await context.close();
    process.stdout.write(`${name}.png\n`);
  }
} finally {
  await browser.close();
}
