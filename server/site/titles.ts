/** Title and description of a page, from the API's own responses. */
import { BASE } from "../response/endpoint.ts";
import { splitsOf } from "./app/course/course-splits.ts";
import { withoutDirection } from "./app/text-direction.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";

/** The JSON of an endpoint such as `/courses/COMPSCI161`; undefined unless the status is 200. */
type AskApi = (path: string) => Promise<unknown>;

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
}

export const SITE_NAME = "Academic Data";
const ABOUT = "Classes, grades, people and enrollment of a university: find, compare and plan.";
const MAX_DESCRIPTION = 200;

const VIEWS: Readonly<Record<string, readonly [title: string, description: string]>> = {
  "": [SITE_NAME, ABOUT],
  find: ["Find classes", "Sections by term, general education, days and hours, units, level, seats and instructor."],
  plan: ["Plan", "Your sections in a week and a finals grid, with clashes and a calendar file."],
  sql: ["SQL", "Query the published tables in your browser."],
  data: ["Data", "Parquet files of every table: one line to a result in DuckDB, Python and R."],
  docs: ["Reference", "Every endpoint with its parameters and responses."],
  status: ["Status", "How fresh the data is, and what needs attention."],
};
/** The lists of addresses, which are JSON for programs. */
const REFERENCE: readonly string[] = ["v1", "v1/rest"];

function found(named: string, about: string): PageTitle {
  const [title, description] = [withoutDirection(named), withoutDirection(about)];
  return {
    title: title === SITE_NAME ? title : `${title} · ${SITE_NAME}`,
    description: description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION - 1)}…` : description,
    status: 200,
  };
}
const NOT_FOUND: PageTitle = { title: `Not found · ${SITE_NAME}`, description: ABOUT, status: 404 };

type Fields = Readonly<Record<string, string>>;

/** `pathname` without the path prefix, percent-encoded. */
export async function titleOf(pathname: string, ask: AskApi): Promise<PageTitle> {
  const [view = "", ...rest] = pathname.replace(/\/$/, "").slice(1).split("/");
  const id = rest.join("/");
  const shown = REFERENCE.includes([view, ...rest].join("/")) ? "docs" : [view, ...rest].join("/");
  const [name, description] = (Object.hasOwn(VIEWS, shown) && VIEWS[shown]) || [];
  if (name !== undefined && description !== undefined) return found(name, description);
  switch (id === "" ? "" : view) {
    case "courses": {
      const course = (await ask(`/courses/${id}`)) as Fields | undefined;
      if (!course) return uncataloguedTitle(decodePath(id), ask);
      return found(
        `${course["department"]} ${course["courseNumber"]} · ${course["title"]}`,
        course["description"] || ABOUT,
      );
    }
    case "instructors": {
      const person = (await ask(`/instructors/${id}`)) as Fields | undefined;
      if (person) return found(`${person["name"]}`, [person["title"], person["department"]].filter(Boolean).join(", "));
      // Whom the directory lacks has a page by the name that grades have.
      const instructor = decodePath(id);
      const graded = (await ask(`/grades/options?${new URLSearchParams({ instructor })}`)) as
        | { readonly years: readonly string[] }
        | undefined;
      return graded && graded.years.length > 0 ? found(instructor, ABOUT) : NOT_FOUND;
    }
    case "departments": {
      const query = new URLSearchParams({ department: decodePath(id), limit: "1" });
      const [course] = ((await ask(`/courses?${query}`)) ?? []) as readonly Fields[];
      return course ? found(`${course["department"]} · ${course["departmentName"]}`, ABOUT) : NOT_FOUND;
    }
    case "sections":
      return sectionTitle(rest, ask);
    default:
      return NOT_FOUND;
  }
}

/** Of a course that the grades or the enrollment history have, and the catalogue does not. */
async function uncataloguedTitle(id: string, ask: AskApi): Promise<PageTitle> {
  for (const { department, courseNumber } of splitsOf(id)) {
    const query = new URLSearchParams({ department, courseNumber, limit: "1" });
    for (const list of ["/grades/raw", "/enrollmentHistory"]) {
      const [row] = ((await ask(`${list}?${query}`)) ?? []) as readonly Fields[];
      if (row) return found(`${row["department"]} ${row["courseNumber"]}`, ABOUT);
    }
  }
  return NOT_FOUND;
}

/** A path that is no text stays as it is. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface ScheduleTree {
  readonly schools: readonly {
    readonly departments: readonly {
      readonly courses: readonly (Fields & {
        readonly sections: readonly (Fields & { readonly instructors: readonly string[] })[];
      })[];
    }[];
  }[];
}

async function sectionTitle([year = "", quarter = "", code = ""]: readonly string[], ask: AskApi): Promise<PageTitle> {
  const query = new URLSearchParams({
    year,
    quarter,
    sectionCodes: code,
    cancelledCourses: "Include",
    cacheOnly: "true",
  });
  const tree = (await ask(`/schedule?${query}`)) as unknown as ScheduleTree | undefined;
  const course = tree?.schools[0]?.departments[0]?.courses[0];
  const section = course?.sections[0];
  if (!course || !section) return NOT_FOUND;
  const name = `${course["deptCode"]} ${course["courseNumber"]} ${section["sectionType"]} ${section["sectionNum"]}`;
  return found(
    `${name} (${code}) · ${termName({ year, quarter: quarter as "Fall" })}`,
    [course["courseTitle"], section.instructors.join("; ")].filter(Boolean).join(", "),
  );
}
