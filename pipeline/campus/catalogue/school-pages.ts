/**
 * Schools, their departments' pages, and who teaches there. A page has a faculty tab and a course inventory; a school
 * with several pages lists them (`.levelone`). Departments that share a page share its people.
 */
import type { CampusDepartment } from "../courses/departments.ts";
import { SHARED_PAGES } from "../facts/schools.ts";
import { escapeHtml } from "../html.ts";
import { fullName, type Person } from "../people.ts";
import { hashText } from "../random.ts";
import type { PageData } from "../page-data.ts";
import { courseBlock, type CatalogueMarkup } from "./course-block.ts";

export interface CataloguePage {
  readonly title: string;
  render(): string;
}

interface DepartmentPage {
  readonly name: string;
  readonly departments: readonly CampusDepartment[];
}

/** One name in fifteen carries a numeral that the directory does not have. */
const NUMERAL_EVERY = 15;

/**
 * Pages by their path below the catalogue, such as `/schoolofhumanities/`. `base` is the catalogue's path, with a
 * trailing slash.
 */
export function schoolPages(world: PageData, base: string, markup: CatalogueMarkup): Map<string, CataloguePage> {
  const pages = new Map<string, CataloguePage>();
  const schools = [...new Set(world.departments.map(({ school }) => school))].sort();
  const url = (path: string): string => base + path.slice(1);
  pages.set("/schoolsandprograms/", {
    title: "Schools and Programs",
    render: () =>
      `<div id="textcontainer">\n${schools.map((school) => `<h4><a href="${url(schoolPath(school))}">${escapeHtml(school)}</a></h4>\n<p>Programs of study.</p>`).join("\n")}\n</div>`,
  });
  for (const school of schools) {
    const children = departmentPages(world.departments.filter((department) => department.school === school));
    const [only] = children;
    if (only && children.length === 1) {
      pages.set(schoolPath(school), { title: school, render: () => renderLeaf(world, only, markup) });
      continue;
    }
    const links = children.map((child) => [`${schoolPath(school)}${slug(child.name)}/`, child] as const);
    const items = links.map(([path, { name }]) => `<li><a href="${url(path)}">${escapeHtml(name)}</a></li>`);
    pages.set(schoolPath(school), {
      title: school,
      render: () =>
        `<ul class="nav levelone">\n${items.join("\n")}\n</ul>\n<div id="textcontainer"><p>About the school.</p></div>`,
    });
    for (const [path, child] of links)
      pages.set(path, { title: child.name, render: () => renderLeaf(world, child, markup) });
  }
  return pages;
}

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "");
const schoolPath = (school: string): string => `/${slug(school)}/`;

function departmentPages(departments: readonly CampusDepartment[]): DepartmentPage[] {
  const pages = new Map<string, CampusDepartment[]>();
  for (const department of departments) {
    const shared = Object.entries(SHARED_PAGES).find(([, codes]) => codes.includes(department.code))?.[0];
    const name = shared ?? `Department of ${department.name}`;
    pages.set(name, [...(pages.get(name) ?? []), department]);
  }
  return [...pages]
    .map(([name, members]) => ({ name, departments: members }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function renderLeaf(world: PageData, { departments }: DepartmentPage, markup: CatalogueMarkup): string {
  const people = world.people
    .flat()
    .filter(
      (person) =>
        person.netid !== undefined && person.departments.some((department) => departments.includes(department)),
    );
  const inventories = departments.map((department) => {
    const inventory = world.courses[department.index] ?? [];
    const blocks = inventory
      .filter(({ catalogued }) => catalogued)
      .map((course) => courseBlock(course, world.courseText(course), markup));
    return `<div class="courses">\n<h3>${escapeHtml(department.name)} Courses</h3>\n${blocks.join("\n")}\n</div>`;
  });
  return `<ul id="tabs">
<li id="textcontainertab"><a href="#textcontainer">Overview</a></li>
<li id="facultytab"><a href="#faculty">Faculty</a></li>
<li id="courseinventorytab"><a href="#courseinventory">Courses</a></li>
</ul>
<div id="textcontainer"><p>About the department.</p></div>
<div id="facultycontainer">
${people.map(facultyEntry).join("\n")}
</div>
<div id="courseinventorycontainer">
${inventories.join("\n")}
</div>`;
}

/** `Aurelio B Velren III, Ph.D.`: degrees follow a comma. */
function facultyEntry(person: Person): string {
  const name = fullName(person);
  const numeral = hashText(name) % NUMERAL_EVERY === 0 ? " III" : "";
  return `<p class="faculty"><span class="name">${escapeHtml(name)}${numeral}, Ph.D.</span> <em>${escapeHtml(person.title || "Faculty")}</em></p>`;
}
