/**
 * Pages of the catalogue: the index of departments, and a department's course inventory in both of its markups (until
 * 2024 a title line and paragraphs, since 2025 labelled spans).
 */
import type { KnownField, UnknownFields } from "../contract/source-fields.ts";
import { splitCourseName } from "../contract/course-name.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { type Elements, linesOf, type Page, parsePage, requireWhole, textOf } from "./html-page.ts";

const SYSTEM = "catalogue";

export interface CatalogueBlock {
  /** `I&C SCI 46` */
  code: string;
  title: string;
  /** `4 Units`, `1-4 Units`, `.5 Units`; `""` when nothing is printed. */
  hours: string;
  description: string;
  /** The labelled lines below it, such as `Same as STATS 7.`, and the general-education line `(II, Va)`. */
  details: string[];
}

export interface CatalogueDepartment {
  code: string;
  name: string;
  courses: CatalogueBlock[];
  /** The text of blocks with an unreadable title. */
  unreadable: string[];
}

/**
 * `allcourses/`: the address of every department's page.
 * @throws UpstreamBadResponse when there is no index, or when it is empty or cut off
 */
export function parseCatalogueIndex(html: string): string[] {
  const page = parsePage(SYSTEM, html);
  const index = page("#atozindex");
  requireWhole(SYSTEM, "index of departments", index);
  const links = hrefsOf(page, index.find("li a[href]"));
  if (links.length === 0) throw new UpstreamBadResponse(SYSTEM, "the index names no department");
  return links;
}

/** The addresses of links, as printed, without duplicates. */
export function hrefsOf(page: Page, links: Elements): string[] {
  return [...new Set(links.toArray().map((link) => page(link).attr("href") ?? ""))].filter(Boolean);
}

/**
 * Parses a department's page. The title is name and code, `Computer Science (COMPSCI)`. Without courses the inventory
 * is empty or missing.
 * @throws UpstreamBadResponse when the title is missing, or the page is cut off
 */
export function parseCatalogueDepartment(html: string, unknown?: UnknownFields): CatalogueDepartment {
  const page = parsePage(SYSTEM, html);
  const heading = /^(.*\S)\s*\(([^()]+)\)$/.exec(textOf(page(".page-title").first()));
  if (!heading?.[1] || !heading[2]) throw new UpstreamBadResponse(SYSTEM, "the page's title names no department");
  const inventory = page("#courseinventorycontainer");
  // Without an inventory, the end of the page shows that it is not truncated.
  if (inventory.length > 0) requireWhole(SYSTEM, "course inventory", inventory);
  else requireWhole(SYSTEM, "end", page("html"));
  const courses: CatalogueBlock[] = [];
  const unreadable: string[] = [];
  for (const element of inventory.find(".courseblock").toArray()) {
    const block = page(element);
    if (unknown) countUnknownClasses(page, block, unknown);
    const course = readBlock(page, block);
    if (course) courses.push(course);
    else unreadable.push(textOf(block).slice(0, 80));
  }
  return { code: heading[2].trim(), name: heading[1], courses, unreadable };
}

function countUnknownClasses(page: Page, block: Elements, unknown: UnknownFields): void {
  const classes = block
    .find("[class]")
    .toArray()
    .flatMap((element) => (page(element).attr("class") ?? "").split(/\s+/));
  for (const name of new Set(classes))
    if (name !== "" && !CATALOGUE_FIELDS.some((field) => field.name === name))
      unknown.add({ kind: "class", place: "courseblock", name });
}

/** The codes of all courses below `root`, in order. */
export function courseCodesOf(page: Page, root: Elements): string[] {
  return root
    .find(".courseblock")
    .toArray()
    .flatMap((element) => readHeading(page(element))?.code ?? []);
}

type Heading = Pick<CatalogueBlock, "code" | "title" | "hours">;

const isLabelled = (block: Elements): boolean => block.find(".detail-code").length > 0;

function readHeading(block: Elements): Heading | undefined {
  const heading = isLabelled(block)
    ? readLabelledHeading(block)
    : readTitleLine(textOf(block.find(".courseblocktitle").first()));
  return heading && COURSE_CODE.test(heading.code) ? heading : undefined;
}

/** Codes are in capitals: with other separators in the title line, words of the title would become part of the code. */
const COURSE_CODE = /^[^\p{Ll}:;,]+$/u;

function readBlock(page: Page, block: Elements): CatalogueBlock | undefined {
  const heading = readHeading(block);
  if (!heading) return undefined;
  return { ...heading, ...(isLabelled(block) ? readLabelledBody(page, block) : readParagraphs(page, block)) };
}

/* Until 2024 */

const NUMBER = String.raw`(?:\d+(?:\.\d+)?|\.\d+)`;
/** `4 Units`, `.5-4 Units`, `1 to 4 Units`, `1, 2 or 4 Units`, `4-4-4 Units`, `2 Workload Units` */
const HOURS = new RegExp(
  String.raw`(?<![\d.])${NUMBER}(?:\s*(?:[-‐-―−/]|,(?:\s*or\b)?|\b(?:to|or)\b)\s*${NUMBER})*\s+(?:Workload\s+)?Units?`,
  "gi",
);

/** `4 Units.  2 Workload Units.` at the end of a title line */
const HOURS_AT_END = new RegExp(`(?:^|\\s)(?:${HOURS.source}(?:[.,;]\\s+|\\s*\\.?$))+$`, "i");

/** The units that are not workload units, where there are several numbers. */
function unitsOf(text: string): string {
  const all = text.match(HOURS) ?? [];
  return all.find((hours) => !/workload/i.test(hours)) ?? all[0] ?? withoutStop(text);
}

/** `I&C SCI 31.  Introduction to Programming.  4 Units.`; a course without units ends with its title. */
function readTitleLine(line: string): Heading | undefined {
  const [, code, rest = ""] = /^([^.]+\s\S+)\.(?:\s+(.*))?$/.exec(line) ?? [];
  if (code === undefined || !splitCourseName(code)) return undefined;
  const hours = HOURS_AT_END.exec(rest);
  const title = hours ? rest.slice(0, hours.index) : rest;
  return { code, title: withoutStop(title), hours: unitsOf(hours?.[0] ?? "") };
}

/** Removes the final full stop. */
const withoutStop = (text: string): string => text.trim().replace(/\s*\.$/, "");

/** The first paragraph is the description; all others are labelled lines, one or several separated by `<br>`. */
function readParagraphs(page: Page, block: Elements): Pick<CatalogueBlock, "description" | "details"> {
  const [first, ...others] = block
    .find("p")
    .not(".courseblocktitle")
    .toArray()
    .map((element) => linesOf(page(element)));
  const lines = first ?? [];
  // The description may be missing.
  const described = lines.findIndex((line) => FIRST_LABEL.test(line));
  const descriptionLines = described < 0 ? lines : lines.slice(0, described);
  return {
    description: descriptionLines.join(" "),
    details: [...(described < 0 ? [] : lines.slice(described)), ...others.flat()],
  };
}

/** Labels, and the general-education line, with which no line of a description begins. */
const FIRST_LABEL = new RegExp(
  [
    String.raw`^(?:Prerequisite|Prerequisite or corequisite|Corequisite|Repeatability|Grading Option|Restriction)s?:`,
    String.raw`^(?:Same as|Overlaps with|Concurrent with) [A-Z][A-Z&/ ]* [A-Z]*\d`,
    String.raw`^\({1,2}\s*(?:(?:GE|G\. ?E\.|General Education)\W+)?(?:I[AB]|I{2,3}|IV|V[AB]|VI{1,3})(?:\W*[,;)/]| (?:and|or) )`,
  ].join("|"),
  "i",
);

/* Since 2025 */

/** Labels by the span's class, for texts without one. */
const CLASS_LABELS: Readonly<Record<string, string>> = {
  "detail-prereqs": "Prerequisite: ",
  "detail-coreqs": "Corequisite: ",
  "detail-overlaps_with": "Overlaps with ",
  "detail-repeatability": "Repeatability: ",
  "detail-grading_option": "Grading Option: ",
  "detail-concurrent": "Concurrent with ",
  "detail-same_as": "Same as ",
  "detail-restrictions": "Restriction: ",
};

/** The classes inside a course's block, with the columns that they fill; some only affect its looks. */
export const CATALOGUE_FIELDS: readonly KnownField[] = (
  [
    ["courseblocktitle", ["title", "minUnits", "maxUnits"]],
    ["courseblockdesc", ["description"]],
    ["courseblockextra", ["description"]],
    ["detail-code", ["department"]],
    ["detail-title", ["title"]],
    ["detail-hours_html", ["minUnits", "maxUnits"]],
    ["detail-prereqs", []],
    ["detail-coreqs", ["corequisites"]],
    ["detail-overlaps_with", ["overlap"]],
    ["detail-repeatability", ["repeatability"]],
    ["detail-grading_option", ["gradingOption"]],
    ["detail-concurrent", ["concurrent"]],
    ["detail-same_as", ["sameAs"]],
    ["detail-restrictions", ["restriction"]],
    ["detail-gened", ["geList", "geText"]],
    ["cols", []],
    ["noindent", []],
    ["text", []],
    ["margin--default", []],
  ] as const
).map(([name, fills]) => ({ kind: "class", place: "courseblock", name, fills }));

function readLabelledHeading(block: Elements): Heading | undefined {
  const code = withoutStop(textOf(block.find(".detail-code").first()));
  if (!splitCourseName(code)) return undefined;
  return {
    code,
    title: withoutStop(textOf(block.find(".detail-title").first())),
    hours: unitsOf(textOf(block.find(".detail-hours_html").first())),
  };
}

function readLabelledBody(page: Page, block: Elements): Pick<CatalogueBlock, "description" | "details"> {
  const spans = block.find('[class*="detail-"]').not(".detail-code, .detail-title, .detail-hours_html");
  return {
    description: linesOf(block.find(".courseblockextra").first()).join(" "),
    details: spans.toArray().flatMap((element) => {
      const span = page(element);
      const text = linesOf(span).join(" ");
      const label = (span.attr("class") ?? "").split(/\s+/).flatMap((name) => CLASS_LABELS[name] ?? [])[0];
      if (text === "") return [];
      if (span.hasClass("detail-gened") && !text.startsWith("(")) return `(${text})`;
      // The text's label may be in the plural.
      const isNamed = !label || text.toLowerCase().startsWith(label.replace(/\W+$/, "").toLowerCase());
      return isNamed ? text : label + text;
    }),
  };
}
