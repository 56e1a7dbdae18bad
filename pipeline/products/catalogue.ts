/**
 * The course catalogue and the registrar's prerequisite pages, read once a week. The history step adds terms and
 * instructors. **Output:** catalogue courses for the history step; `former_names`.
 */
import { type CatalogueCourse, catalogueCourses, courses } from "../contract/rows/course.ts";
import { type FormerName, formerNames } from "../contract/rows/former-name.ts";
import { UpstreamBadResponse, UpstreamError } from "../errors.ts";
import { createUnknownFields } from "../contract/source-fields.ts";
import { cataloguedIds, COURSE_LABELS, toCatalogueCourses } from "../normalize/catalogue/course.ts";
import { toFormerNames } from "../normalize/catalogue/former-names.ts";
import { schoolsByDepartment } from "../normalize/catalogue/school.ts";
import { CATALOGUE_FIELDS, parseCatalogueDepartment, parseCatalogueIndex } from "../parse/catalogue-html.ts";
import { parsePrerequisiteForm, parsePrerequisiteTable, type PrerequisiteRow } from "../parse/prerequisites-html.ts";
import { parseSchoolPage, parseSchoolsIndex } from "../parse/schools-html.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { walkCourses, walkSchools } from "../sources/catalogue.ts";
import type { Walked } from "../sources/client/page-walk.ts";
import { walkPrerequisites } from "../sources/prerequisites.ts";
import { isDue, crawlSource, type ProductStep, type RunContext, WEEK_MS } from "./context.ts";
import { noteUnknown } from "./guard/causes.ts";
import { isRefused } from "./guard/refusals.ts";
import { shrinks, shrinkText } from "./guard/shrink.ts";
import { readSoundRows, writeRows } from "./rows.ts";
import { accept, refuseLost, stage } from "./stage.ts";

type Courses = readonly CatalogueCourse[];

const COURSES = { table: "courses", partition: {} } as const;
const FORMER_NAMES = { table: "former_names", partition: {} } as const;

export const catalogueStep: ProductStep = {
  product: "catalogue",
  system: "catalogue",
  tables: ["courses", "former_names"],
  plan: (context) => context.addresses.catalogue !== undefined && isDue(context, "catalogue", WEEK_MS),
  async run(context, tally) {
    const { addresses, client } = context;
    const unknown = createUnknownFields();
    const parsers = {
      index: parseCatalogueIndex,
      department: (html: string) => parseCatalogueDepartment(html, unknown),
    };
    const departments = await walkCourses(client("catalogue"), addresses.catalogue as URL, parsers, tally);
    const schools = await readSchools(context, tally);
    const published = await readPublishedCourses(context);
    const requirements = await readRequirements(context, tally);
    const isUnread =
      departments.damaged.length + schools.damaged.length > 0 || lacksRequirements(context, requirements);
    await refuseLost(context, COURSES, !isUnread, tally);
    const pages = { departments: departments.pages, unread: departments.damaged.length > 0 ? published : [] };
    const sources = {
      ...pages,
      requirements: requirements ?? [],
      formerNames: await putFormerNames(context, cataloguedIds(pages), requirements, tally),
      schools: schoolsByDepartment(schools.pages),
    };
    const read = toCatalogueCourses(sources, tally, unknown);
    const rows = keepUnread(read, published, {
      pages: departments.damaged.length > 0 || isUnlisted(read, published, context, tally),
      requirements: requirements === undefined || isStripped(read, published, context, tally),
    });
    if (rows.length === 0) throw new UpstreamBadResponse("catalogue", "the catalogue has no course");
    noteUnknown(context, { part: COURSES, what: "the catalogue", unknown: unknown.list() }, tally);
    const fields = [...CATALOGUE_FIELDS, ...COURSE_LABELS];
    const guarded = { what: "the catalogue, in courses,", known: fields, unknown: unknown.list() };
    await accept(context, COURSES, { ...guarded, table: catalogueCourses, rows }, tally);
    const received = [
      ...crawlSource(context, "catalogue", { tableName: "courses", rows: read.length }),
      ...(requirements
        ? crawlSource(context, "prerequisites", { tableName: "courses", rows: requirements.length })
        : []),
    ];
    return { catalogue: rows, received };
  },
};

/** Two products use the schools' pages. */
export function readSchools({ addresses, client, schoolPages }: RunContext, tally: Tally) {
  const parsers = { index: parseSchoolsIndex, school: parseSchoolPage };
  return schoolPages(() => walkSchools(client("catalogue"), addresses.catalogue as URL, parsers, tally));
}

/** Returns undefined when they cannot be read; the published requirements stay. */
async function readRequirements(
  { addresses, client }: RunContext,
  tally: Tally,
): Promise<PrerequisiteRow[] | undefined> {
  if (!addresses.prerequisites) return undefined;
  const parsers = { form: parsePrerequisiteForm, table: parsePrerequisiteTable };
  try {
    const walked: Walked<PrerequisiteRow> = await walkPrerequisites(
      client("prerequisites"),
      addresses.prerequisites,
      parsers,
      tally,
    );
    return walked.damaged.length > 0 ? undefined : walked.pages;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    tally.damage(`prerequisites: ${error.message}`);
    return undefined;
  }
}

/**
 * The valid former names: those from the pages, or the published ones if nothing could be read or the new ones are
 * refused.
 */
async function putFormerNames(
  context: RunContext,
  catalogued: ReadonlyMap<string, string>,
  requirements: readonly PrerequisiteRow[] | undefined,
  tally: Tally,
): Promise<FormerName[]> {
  await refuseLost(context, FORMER_NAMES, requirements !== undefined, tally);
  const published: FormerName[] = await readSoundRows(context, formerNames);
  if (!requirements) return published;
  const rows = toFormerNames(requirements, { catalogued, published }, tally);
  const guarded = { what: "the registrar's former names of courses", rows: { isGrowthGuarded: false } };
  const isStaged = await stage(context, await writeRows(context, formerNames, rows), guarded, tally);
  return isStaged ? rows : published;
}

/** True when courses would lose their published requirements. */
const lacksRequirements = ({ staging }: RunContext, requirements: PrerequisiteRow[] | undefined): boolean =>
  requirements === undefined && staging.base?.manifest.source["prerequisites"] !== undefined;

/** The published courses without the columns of the history step. */
export async function readPublishedCourses(context: RunContext): Promise<CatalogueCourse[]> {
  const rows = await readSoundRows(context, courses);
  return rows.map(({ prerequisiteFor: _for, instructorHistory: _by, terms: _terms, ...course }) => course);
}

/** True when a published department no longer has a page, which is damage unless shrinking is allowed. */
function isUnlisted(read: Courses, published: Courses, context: RunContext, tally: Tally): boolean {
  const listed = new Set(read.map(({ department }) => department));
  const gone = new Set(published.map(({ department }) => department).filter((code) => !listed.has(code)));
  const text = `the catalogue no longer has ${[...gone].join(", ")}`;
  return gone.size > 0 && isRefused(context, [{ part: COURSES, column: "departments", text }], tally);
}

/** True when far fewer courses have prerequisites than before, which is damage unless shrinking is allowed. */
function isStripped(read: Courses, published: Courses, context: RunContext, tally: Tally): boolean {
  const ids = new Set(read.map(({ id }) => id));
  const count = (courses: Courses) =>
    courses.filter(({ id, prerequisiteText }) => ids.has(id) && prerequisiteText !== "").length;
  const [previous, now] = [count(published), count(read)];
  if (!shrinks(previous, now)) return false;
  const text = shrinkText("the catalogue, in courses with prerequisites,", previous, now);
  return isRefused(context, [{ part: COURSES, column: "prerequisiteText", text }], tally);
}

/** Published data replaces the pages that could not be read. */
function keepUnread(
  read: Courses,
  published: Courses,
  unread: { pages: boolean; requirements: boolean },
): CatalogueCourse[] {
  const previous = new Map(published.map((course) => [course.id, course]));
  const rows = read.map((course) => {
    const old = previous.get(course.id);
    if (!old) return course;
    // A school is empty when its page could not be read.
    const school = course.school === "" ? old.school : course.school;
    if (!unread.requirements) return { ...course, school };
    const { prerequisiteTree, prerequisiteList, prerequisiteText, requirementTree } = old;
    return { ...course, school, prerequisiteTree, prerequisiteList, prerequisiteText, requirementTree };
  });
  if (!unread.pages) return rows;
  const departments = new Set(read.map(({ department }) => department));
  return [...rows, ...published.filter(({ department }) => !departments.has(department))];
}
