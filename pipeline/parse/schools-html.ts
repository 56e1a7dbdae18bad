/** Pages of schools and departments: listed courses and faculty. */
import { UpstreamBadResponse } from "../errors.ts";
import { splitCourseName } from "../contract/course-name.ts";
import { courseCodesOf, hrefsOf } from "./catalogue-html.ts";
import { parsePage, requireWhole, textOf, type Page } from "./html-page.ts";

const SYSTEM = "catalogue";

export interface SchoolLink {
  name: string;
  href: string;
}

export interface SchoolPage {
  /** Addresses of the pages below it, as printed. */
  links: string[];
  /** The departments of the listed courses, in order. */
  departments: string[];
  /** Names as printed, with degrees. */
  faculty: string[];
}

/**
 * `schoolsandprograms/`: every school, in the page's order.
 * @throws UpstreamBadResponse when there is no list, or when it is empty or cut off
 */
export function parseSchoolsIndex(html: string): SchoolLink[] {
  const page = parsePage(SYSTEM, html);
  const container = page("#textcontainer");
  requireWhole(SYSTEM, "list of schools", container);
  const schools = container
    .find("h4 > a[href]")
    .toArray()
    .map((element) => ({ name: textOf(page(element)), href: page(element).attr("href") ?? "" }))
    .filter(({ name, href }) => name !== "" && href !== "");
  if (schools.length === 0) throw new UpstreamBadResponse(SYSTEM, "the list names no school");
  return schools;
}

/**
 * A school's page, or a department's page below it. A school with several departments has a list of links
 * (`.levelone`); all others have a faculty tab and a course inventory.
 * @throws UpstreamBadResponse when it is not such a page or cut off
 */
export function parseSchoolPage(html: string): SchoolPage {
  const page = parsePage(SYSTEM, html);
  requireWhole(SYSTEM, "title", page(".page-title"));
  requireWhole(SYSTEM, "body", page("body"));
  const departments = courseCodesOf(page, page("#courseinventorycontainer")).flatMap(
    (code) => splitCourseName(code)?.department ?? [],
  );
  return {
    links: hrefsOf(page, page(".levelone li a[href]")),
    departments: [...new Set(departments)],
    faculty: parseFaculty(page),
  };
}

/** Names as printed (`Mira Vane III, Ph.D.`), without duplicates, in the page's order. */
function parseFaculty(page: Page): string[] {
  const names = page(".faculty .name")
    .toArray()
    .map((element) => textOf(page(element)));
  return [...new Set(names)].filter(Boolean);
}
