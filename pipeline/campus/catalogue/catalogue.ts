/** The catalogue: an index of departments, a page of courses for each, and the schools with their faculty. */
import type { CampusResponse } from "../listening/response.ts";
import type { CampusDepartment } from "../courses/departments.ts";
import { escapeHtml, htmlResponse, notFound } from "../html.ts";
import type { PageData } from "../page-data.ts";
import { courseBlock, type CatalogueMarkup } from "./course-block.ts";
import { schoolPages, type CataloguePage } from "./school-pages.ts";

/**
 * Departments alternate between the two generations of markup, so that every build reads both; the schools' pages are
 * classic.
 */
const MARKUPS = ["classic", "2025"] as const satisfies readonly CatalogueMarkup[];

/** Answers by the path below `base`. Pages are rendered on request. */
export function createCatalogue(world: PageData, base: string): (rest: string) => CampusResponse {
  const listed = world.departments.filter(
    ({ index, ended }) => ended !== undefined || world.courses[index]?.some(({ catalogued }) => catalogued),
  );
  const pages = schoolPages(world, base, "classic");
  pages.set("/", { title: "Catalogue", render: () => contents(base) });
  pages.set("/allcourses/", { title: "Course Index", render: () => indexOfDepartments(listed, base) });
  for (const department of listed) pages.set(`/allcourses/${slug(department)}/`, departmentPage(world, department));
  return (rest) => {
    const path = `/${rest}`;
    const page = pages.get(path.endsWith("/") ? path : `${path}/`);
    return page
      ? htmlResponse(
          page.title,
          `<div id="contentarea">\n<h1 class="page-title">${escapeHtml(page.title)}</h1>\n${page.render()}\n</div>`,
        )
      : notFound();
  };
}

const contents = (base: string): string =>
  `<ul>\n<li><a href="${base}allcourses/">All Courses</a></li>\n<li><a href="${base}schoolsandprograms/">Schools and Programs</a></li>\n</ul>`;

/** `I&C SCI` → `i_c_sci` */
const slug = ({ code }: CampusDepartment): string => code.toLowerCase().replace(/[^a-z0-9]+/g, "_");
const nameAndCode = ({ name, code }: CampusDepartment): string => `${name} (${code})`;

function departmentPage(world: PageData, department: CampusDepartment): CataloguePage {
  const inventory = world.courses[department.index] ?? [];
  const markup = MARKUPS[department.index % MARKUPS.length] as CatalogueMarkup;
  return {
    title: nameAndCode(department),
    render: () => {
      const blocks = inventory
        .filter(({ catalogued }) => catalogued)
        .map((course) => courseBlock(course, world.courseText(course), markup));
      return `<div id="courseinventorycontainer">\n<div class="courses">\n${blocks.join("\n")}\n</div>\n</div>`;
    },
  };
}

/** Renders the index: a list of links under every letter. */
function indexOfDepartments(departments: readonly CampusDepartment[], base: string): string {
  const letters = new Map<string, string[]>();
  for (const department of departments) {
    const letter = department.code[0] as string;
    const item = `<li><a href="${base}allcourses/${slug(department)}/">${escapeHtml(nameAndCode(department))}</a></li>`;
    letters.set(letter, [...(letters.get(letter) ?? []), item]);
  }
  const lists = [...letters].map(
    ([letter, items]) => `<h2 id="${letter}">${letter}</h2>\n<ul>\n${items.join("\n")}\n</ul>`,
  );
  return `<div id="atozindex">\n${lists.join("\n")}\n</div>`;
}
