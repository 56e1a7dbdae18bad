/**
 * The course catalogue: an index of departments with a page of courses each, and the pages of schools. The caller's
 * parsers read the pages.
 */
import type { Tally } from "../contract/documents/tally.ts";
import type { Client } from "./client/http.ts";
import { asFolder, linkFrom, pageAt } from "./client/page-address.ts";
import { readPage } from "./client/page-text.ts";
import { type Walked, walkPages } from "./client/page-walk.ts";

export interface CourseParsers<Department> {
  /** The index → addresses of departments, as printed. */
  index(html: string): readonly string[];
  department(html: string): Department;
}

/**
 * Reads `allcourses/` and every page that it lists, in its order.
 * @throws UpstreamError when the index or all of its pages fail; a single failure is named in the tally and in
 *   `damaged`
 */
export async function walkCourses<Department>(
  client: Client,
  url: URL,
  parse: CourseParsers<Department>,
  tally: Tally,
): Promise<Walked<Department>> {
  const folder = catalogueFolder(url);
  const index = coursesIndex(url);
  const links = await readPage(client, pageAt(index), parse.index);
  const pages = toAddresses(index, links, folder);
  return walkPages(pages, nameOfPage, (page) => readPage(client, pageAt(page), parse.department), tally);
}

/** The address of the list of departments. */
export const coursesIndex = (url: URL): URL => new URL("allcourses/", catalogueFolder(url));

export interface SchoolParsers<Page> {
  /** The list of schools → names and addresses, as printed. */
  index(html: string): readonly { readonly name: string; readonly href: string }[];
  /** Parses the page of a school or a department; `links` are addresses as printed. */
  school(html: string): Page & { readonly links: readonly string[] };
}

/**
 * Reads `schoolsandprograms/`, the page of every school, and the pages that it links to below its address. Each page is
 * listed with its school, schools in the order of the list, a school's page before those below it.
 * @throws UpstreamError when the list or all schools fail; a single failure is named in the tally and in `damaged`
 */
export async function walkSchools<Page>(
  client: Client,
  url: URL,
  parse: SchoolParsers<Page>,
  tally: Tally,
): Promise<Walked<Page & { readonly school: string }>> {
  const folder = catalogueFolder(url);
  const index = new URL("schoolsandprograms/", folder);
  const schools = await readPage(client, pageAt(index), parse.index);
  const roots = schools.flatMap(({ name, href }) => {
    const link = linkFrom(index, href, folder);
    return link ? [{ school: name, page: link }] : [];
  });

  const damaged: string[] = [];
  const readSchool = async (school: string, root: URL): Promise<(Page & { school: string })[]> => {
    const schoolPage = await readPage(client, pageAt(root), parse.school);
    // Navigation links lead elsewhere: follow only links below the school's address.
    const below = toAddresses(root, schoolPage.links, folder).filter(
      ({ href, pathname }) => pathname.startsWith(asFolder(root).pathname) && href !== root.href,
    );
    const readChild = (page: URL) => readPage(client, pageAt(page), parse.school);
    const children = await walkPages(below, nameOfPage, readChild, tally, { mayAllFail: true });
    damaged.push(...children.damaged);
    return [schoolPage, ...children.pages].map((page) => ({ ...page, school }));
  };
  const walked = await walkPages(
    roots,
    ({ page }) => nameOfPage(page),
    ({ school, page }) => readSchool(school, page),
    tally,
  );
  return { pages: walked.pages.flat(), damaged: [...walked.damaged, ...damaged] };
}

/** Accepts the catalogue's address, and that of its index of courses. */
function catalogueFolder(url: URL): URL {
  const folder = asFolder(url);
  return folder.pathname.endsWith("/allcourses/") ? new URL("..", folder) : folder;
}

function toAddresses(page: URL, links: readonly string[], folder: URL): URL[] {
  const addresses = links.flatMap((href) => linkFrom(page, href, folder) ?? []);
  return [...new Map(addresses.map((address) => [address.href, address])).values()];
}

const nameOfPage = (url: URL): string => url.pathname;
