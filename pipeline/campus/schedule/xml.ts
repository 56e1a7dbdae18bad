/** Search results as XML, with the repeated blocks of the real system. */
import type { Params } from "../listening/response.ts";
import { QUARTER_LONG_NAMES, UPSTREAM_SECTION_LIMIT } from "../../contract/vocabulary.ts";
import { isoDay } from "../days.ts";
import { draw, hashText, mix } from "../random.ts";
import type { Offering } from "../sections/section.ts";
import type { CampusTerm } from "../sections/term-calendar.ts";
import type { Criteria } from "./criteria.ts";
import { restrictionCodesXml } from "./restriction-codes.ts";
import { sectionXml, type SectionXmlOptions } from "./section-xml.ts";
import type { SectionView } from "./tests.ts";
import { commentElement, xmlAttribute, xmlText } from "./xml-text.ts";

/** Neighbours of the same course, department or school. */
interface CourseBlock {
  readonly offering: Offering;
  readonly views: readonly SectionView[];
}

/**
 * A tenth of the courses with at least three sections is split in two; a fifth of the departments has courses under a
 * shortened name.
 */
const SPLIT_COURSE_SHARE = 0.1;
const SPLIT_DEPARTMENT_SHARE = 0.2;
const SHORT_NAME_LENGTH = 6;

/** Over the limit, the real system returns the same XML as without results: an empty course list, or none. */
export function renderXml(
  views: readonly SectionView[],
  criteria: Criteria,
  params: Params,
  term: CampusTerm,
  today: number,
): string {
  const query = new URLSearchParams([...params]).toString();
  const usable = views.length > 0 && views.length <= UPSTREAM_SECTION_LIMIT;
  const options = {
    term,
    showComments: criteria.showComments,
    showFinals: criteria.showFinals,
  };
  const empty = hashText(query) % 2 === 0 ? "<course_list>\n</course_list>\n" : "";
  return `<?xml version="1.0" encoding="UTF-8"?>
<websoc_results generated="${isoDay(today)}" author="Sample Campus" get_parm="${xmlAttribute(query)}">
<search_criteria>${xmlText(query)}</search_criteria>
<term>
<term_yyyyst>${term.code.replace("-", "")}</term_yyyyst>
<term_year>${term.year}</term_year>
<term_name>${QUARTER_LONG_NAMES[term.quarter]}</term_name>
<term_status_msg></term_status_msg>
</term>
${usable ? `<course_list>\n${schoolsXml(views, options)}</course_list>\n` : empty}${restrictionCodesXml}</websoc_results>
`;
}

function schoolsXml(termViews: readonly SectionView[], options: SectionXmlOptions): string {
  let xml = "";
  for (const views of runs(termViews, ({ section }) => section.offering.department.schoolCode)) {
    const { school, schoolCode, schoolComment } = (views[0] as SectionView).section.offering.department;
    xml += `<school school_code="${schoolCode}" school_name="${xmlAttribute(school)}">\n`;
    if (options.showComments) xml += commentElement("school_comment", schoolComment);
    for (const department of runs(views, ({ section }) => section.offering.department.code))
      xml += departmentXml(department, options);
    xml += "</school>\n";
  }
  return xml;
}

function departmentXml(views: readonly SectionView[], options: SectionXmlOptions): string {
  const { department } = (views[0] as SectionView).section.offering;
  const seed = mix(department.seed, hashText(options.term.code));
  const blocks = splitCourses(
    runs(views, ({ section }) => section.offering).map((run) => ({
      offering: (run[0] as SectionView).section.offering,
      views: run,
    })),
    seed,
  );
  const split = blocks.length >= 4 && draw(seed, 1) < SPLIT_DEPARTMENT_SHARE;
  const cut = split ? Math.ceil(blocks.length * 0.75) : blocks.length;
  const open = (name: string): string =>
    // The name is escaped twice: decoding it once still leaves `&amp;`.
    `<department dept_code="${xmlAttribute(department.code)}" dept_case="${xmlAttribute(department.code)}" dept_name="${xmlAttribute(name.replaceAll("&", "&amp;"))}">\n` +
    (options.showComments ? commentElement("department_comment", department.comment) : "");
  let xml = open(department.name);
  if (options.showComments) {
    for (const [from, to, html] of department.codeComments)
      xml += commentElement("course_code_range_comment", html, ` begin="${from}" end="${to}"`);
    for (const [from, to, html] of department.numberComments)
      xml += commentElement("course_number_range_comment", html, ` begin="${from}" end="${to}"`);
  }
  blocks.forEach((block, i) => {
    if (i === cut) xml += `</department>\n${open(`${department.name.slice(0, SHORT_NAME_LENGTH).trim()}*`)}`;
    xml += courseXml(block, options);
  });
  return `${xml}</department>\n`;
}

/** The second parts of split courses come at the end of the department. */
function splitCourses(blocks: readonly CourseBlock[], seed: number): CourseBlock[] {
  const tails: CourseBlock[] = [];
  const heads = blocks.map((block) => {
    const { offering, views } = block;
    if (views.length < 3 || draw(mix(seed, offering.course.seed), 2) >= SPLIT_COURSE_SHARE) return block;
    const half = Math.ceil(views.length / 2);
    tails.push({ offering, views: views.slice(half) });
    return { offering, views: views.slice(0, half) };
  });
  return [...heads, ...tails];
}

function courseXml({ offering, views }: CourseBlock, options: SectionXmlOptions): string {
  const { course, title, comment, prerequisiteLink } = offering;
  let xml = `<course course_number="${xmlAttribute(course.number)}" course_title="${xmlAttribute(title)}">\n`;
  if (options.showComments) xml += commentElement("course_comment", comment);
  if (prerequisiteLink !== "") xml += `<course_prereq_link>${xmlText(prerequisiteLink)}</course_prereq_link>\n`;
  for (const view of views) xml += sectionXml(view, options);
  return `${xml}</course>\n`;
}

/** Groups neighbours with equal keys. */
function runs<K>(views: readonly SectionView[], keyOf: (view: SectionView) => K): SectionView[][] {
  const groups: SectionView[][] = [];
  let last: K | undefined;
  for (const view of views) {
    const key = keyOf(view);
    if (groups.length === 0 || key !== last) groups.push([view]);
    else groups.at(-1)?.push(view);
    last = key;
  }
  return groups;
}
