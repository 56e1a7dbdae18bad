/** Title and description of a page, from the API's own responses. */
import { BASE } from "../response/endpoint.ts";
import { decodeText } from "../response/warnings.ts";
import { findUncatalogued } from "./app/course/uncatalogued.ts";
import { termQuery } from "./app/data/term-names.ts";
import { withoutDirection } from "./app/text-direction.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";

/** The JSON of an endpoint such as `/courses/COMPSCI161`; undefined unless the status is 200. */
export type AskApi = (path: string) => Promise<unknown>;

/** @param get the response of the plain service to a GET */
export function createAsk(get: (path: string) => Promise<Response>): AskApi {
  return async (path) => {
    const response = await get(BASE + path);
    return response.ok ? ((await response.json()) as unknown) : undefined;
  };
}

export interface PageTitle {
  readonly title: string;
  readonly description: string;
  readonly status: 200 | 404;
  /** The main heading, and what stands above it in small letters, where the view shows the same. */
  readonly heading?: string;
  readonly over?: string;
}

export const SITE_NAME = "Academic Data";
const ABOUT = "Find classes, compare instructors and grades, and plan your schedule.";
const MAX_DESCRIPTION = 200;

const REFERENCE = ["Reference", "Every endpoint with its parameters and responses."] as const;
const VIEWS: Readonly<Record<string, readonly [title: string, description: string]>> = {
  "": [SITE_NAME, ABOUT],
  find: [
    "Find classes",
    "Search sections by term, general education, days, times, units, level, seats and instructor.",
  ],
  plan: ["Plan", "Your weekly schedule and finals, with conflicts and a calendar file."],
  sql: ["SQL", "Query the published tables in your browser."],
  data: ["Data", "Parquet files of every table, with examples for DuckDB, Python and R."],
  docs: REFERENCE,
  // The lists of addresses, which are JSON for programs.
  v1: REFERENCE,
  "v1/rest": REFERENCE,
  status: ["Status", "Data freshness and problems."],
};

function found(named: string, about: string, heading?: string, over = ""): PageTitle {
  const [title, description] = [withoutDirection(named), withoutDirection(about)];
  return {
    ...(heading === undefined ? {} : { heading: withoutDirection(heading), over: withoutDirection(over) }),
    title: title === SITE_NAME ? title : `${title} · ${SITE_NAME}`,
    description: description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION - 1)}…` : description,
    status: 200,
  };
}
const NOT_FOUND: PageTitle = { title: `Not found · ${SITE_NAME}`, description: ABOUT, status: 404 };

type Fields = Readonly<Record<string, string>>;

/**
 * Titles the page at a percent-encoded `pathname` without the path prefix. `terms` are those with a schedule, such as
 * `2026 Fall`, the likeliest first: it looks there for courses, people and departments that nothing else has.
 */
export async function titleOf(pathname: string, ask: AskApi, terms: readonly string[] = []): Promise<PageTitle> {
  const path = pathname.replace(/\/$/, "").slice(1);
  const named = Object.hasOwn(VIEWS, path) && VIEWS[path];
  if (named) return found(...named);
  const [view = "", ...rest] = path.split("/");
  const id = rest.join("/");
  switch (id === "" ? "" : view) {
    case "courses": {
      const course = (await ask(`/courses/${id}`)) as Fields | undefined;
      if (!course) return uncataloguedTitle(decodeText(id), ask, terms);
      const name = `${course["department"]} ${course["courseNumber"]}`;
      return found(`${name} · ${course["title"]}`, course["description"] || ABOUT, course["title"], name);
    }
    case "instructors": {
      const person = (await ask(`/instructors/${id}`)) as Fields | undefined;
      if (person) {
        const about = [person["title"], person["department"]].filter(Boolean).join(", ");
        return found(`${person["name"]}`, about, person["name"]);
      }
      // Whom the directory lacks has a page by the name that grades have.
      const instructor = decodeText(id);
      const graded = (await ask(`/grades/options?${new URLSearchParams({ instructor })}`)) as
        | { readonly years: readonly string[] }
        | undefined;
      if (graded && graded.years.length > 0) return found(instructor, ABOUT);
      // `SMITH, J` would be the beginning of other names too.
      const teaches = ({ sections }: ScheduledCourse) =>
        sections.some(({ instructors }) => instructors.includes(instructor));
      const courses = instructor.includes(",") ? await scheduledIn(terms, { instructorName: instructor }, ask) : [];
      return courses.some(teaches) ? found(instructor, ABOUT) : NOT_FOUND;
    }
    case "departments": {
      const query = new URLSearchParams({ department: decodeText(id), limit: "1" });
      const [course] = ((await ask(`/courses?${query}`)) ?? []) as readonly Fields[];
      if (course) return found(`${course["department"]} · ${course["departmentName"]}`, ABOUT);
      const [inTerm] = await scheduledIn(terms, { department: decodeText(id) }, ask);
      return inTerm ? found(`${inTerm["deptCode"]}`, ABOUT) : NOT_FOUND;
    }
    case "sections":
      return sectionTitle(rest, ask);
    default:
      return NOT_FOUND;
  }
}

/** Titles the page of a course that schedule, grades or history have and the catalogue lacks. */
async function uncataloguedTitle(id: string, ask: AskApi, terms: readonly string[]): Promise<PageTitle> {
  const course = await findUncatalogued(
    id,
    terms,
    async <T>(path: string, query: Readonly<Record<string, string>>) =>
      (await ask(`${path}?${new URLSearchParams(query)}`)) as T | undefined,
  );
  if (!course) return NOT_FOUND;
  const name = `${course.department} ${course.courseNumber}`;
  return found(course.title === name ? name : `${name} · ${course.title}`, ABOUT, course.title, name);
}

type ScheduledCourse = Fields & {
  readonly sections: readonly (Fields & { readonly instructors: readonly string[] })[];
};

export interface ScheduleTree {
  readonly schools: readonly {
    readonly departments: readonly { readonly courses: readonly ScheduledCourse[] }[];
  }[];
}

export const coursesIn = (tree: ScheduleTree | undefined): ScheduledCourse[] =>
  tree?.schools.flatMap(({ departments }) => departments.flatMap(({ courses }) => courses)) ?? [];

async function scheduled(term: string, filters: Fields, ask: AskApi): Promise<ScheduledCourse[]> {
  const query = { ...termQuery(term), ...filters, cancelledCourses: "Include", cacheOnly: "true" };
  return coursesIn((await ask(`/schedule?${new URLSearchParams(query)}`)) as ScheduleTree | undefined);
}

/** As many terms as a view of a person looks at. */
const MAX_TERMS = 4;

async function scheduledIn(terms: readonly string[], filters: Fields, ask: AskApi): Promise<ScheduledCourse[]> {
  return (await Promise.all(terms.slice(0, MAX_TERMS).map((term) => scheduled(term, filters, ask)))).flat();
}

async function sectionTitle([year = "", quarter = "", code = ""]: readonly string[], ask: AskApi): Promise<PageTitle> {
  const [course] = await scheduled(`${year} ${quarter}`, { sectionCodes: code }, ask);
  const section = course?.sections[0];
  if (!course || !section) return NOT_FOUND;
  const name = `${course["deptCode"]} ${course["courseNumber"]} ${section["sectionType"]} ${section["sectionNum"]}`;
  return found(
    `${name} (${code}) · ${termName({ year, quarter: quarter as "Fall" })}`,
    [course["courseTitle"], section.instructors.join("; ")].filter(Boolean).join(", "),
  );
}
