/** Learning-assistance (LARC) pages: a page per term, a group per course. */
import { UpstreamBadResponse } from "../errors.ts";
import { type Elements, type Page, parsePage, requireWhole, textOf } from "./html-page.ts";

const SYSTEM = "larc";

export interface LarcSection {
  /** `Mon/Wed` */
  days: string;
  /** `9:00 - 10:50 AM` */
  time: string;
  instructor: string;
  /** `SSL 180`, `Online` */
  building: string;
}

export interface LarcGroup {
  /** `CHEM 1C` */
  courseNumber: string;
  /** `General Chemistry` */
  courseName: string;
  sections: LarcSection[];
}

export interface LarcPage {
  groups: LarcGroup[];
  /** The headings of unreadable groups. */
  unreadable: string[];
}

/**
 * The text before the tutors and the title: `CHEM 1C (same as …) - `. Without a dash the course has a number: `CHEM 1C
 * (General Chemistry)`.
 */
const COURSE = /^(?=.{0,500}$)(?<courseNumber>[^()]*?)(?: \(same as .*?\))?(?: [-–—](?=[ (])|(?= \()(?<=\d[A-Z]*\)?))/;

/**
 * Parses a term's page. Without any group there are no tutorials (yet).
 * @throws UpstreamBadResponse when it is a different page, truncated, or in another form
 */
export function parseLarcPage(html: string): LarcPage {
  const page = parsePage(SYSTEM, html);
  requireWhole(SYSTEM, "body", page("body"));
  const groups = page(".tutorial-group");
  // A page without groups is recognized by its text.
  if (groups.length === 0 && !/\b(LARC|tutorial)/i.test(page.root().text()))
    throw new UpstreamBadResponse(SYSTEM, "the page is not about tutorials");
  const result: LarcPage = { groups: [], unreadable: [] };
  for (const element of groups.toArray()) {
    const group = page(element);
    const heading = textOf(group.find(".card-header").first());
    const course = readHeading(heading);
    if (course) result.groups.push({ ...course, sections: readSections(page, group) });
    else result.unreadable.push(heading);
  }
  if (result.groups.length === 0 && result.unreadable.length > 0)
    throw new UpstreamBadResponse(SYSTEM, "no heading names a course");
  const sections = result.groups.flatMap((group) => group.sections);
  if (sections.length > 0 && sections.every((section) => Object.values(section).every((text) => text === "")))
    throw new UpstreamBadResponse(SYSTEM, "no tutorial has days, time, instructor or place");
  return result;
}

/**
 * `CHEM 1C (same as …) - LARC Tutorial (General Chemistry)`: the course and, in the last brackets, its title. Between
 * them there may be a tutorial's name, people or nothing; people and titles may contain brackets. Undefined without a
 * course or a title.
 */
function readHeading(heading: string): Pick<LarcGroup, "courseNumber" | "courseName"> | undefined {
  const [start = "", courseNumber = ""] = COURSE.exec(heading) ?? [];
  const rest = heading.slice(start.length);
  const courseName = lastBrackets(rest) ?? / ?\((.*)\)$/.exec(rest)?.[1];
  return courseNumber.trim() === "" || courseName === undefined
    ? undefined
    : { courseNumber: courseNumber.trim(), courseName: courseName.trim() };
}

/** The content of the balanced brackets at the end of the text; undefined without any. */
function lastBrackets(text: string): string | undefined {
  if (!text.endsWith(")")) return undefined;
  let open = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] === ")") open++;
    if (text[i] === "(" && --open === 0) return text.slice(i + 1, -1);
  }
  return undefined;
}

/** The columns of a list group: days and time, instructor and building. */
function readSections(page: Page, group: Elements): LarcSection[] {
  return group
    .find(".list-group")
    .toArray()
    .map((element) => {
      const columns = page(element).find(".col-lg-4");
      const cells = (column: number): string[] =>
        columns
          .eq(column)
          .find(".col")
          .toArray()
          .map((cell) => textOf(page(cell)));
      const [days = "", time = ""] = cells(0);
      const [instructor = "", building = ""] = cells(1);
      return { days, time, instructor, building };
    });
}
