/** Addresses of views and of JSON, below the path prefix of this installation (`BASE_PATH`). */

/** The page's globals, which tests do not have. */
const page = globalThis as {
  readonly document?: { readonly documentElement: { readonly dataset: Readonly<Record<string, string | undefined>> } };
  readonly location?: { readonly search: string; readonly pathname: string };
};

/** `/`, or `/academic/`. */
export const BASE = page.document?.documentElement.dataset["base"] ?? "/";

type Query = Readonly<Record<string, string | undefined>>;

/** Empty values are left out. */
function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) text.append(name, value);
  return `${BASE}${path}${text.size === 0 ? "" : `?${text}`}`;
}

/** Returns the address of an endpoint, such as `/schedule`. */
export const addressOf = (path: string, query: Query = {}): string => withQuery(`v1/rest${path}`, query);

/** Returns the address of another document or file, such as `/status` or `/v1/data/manifest.json`. */
export const resourceAddress = (path: string): string => `${BASE}${path.slice(1)}`;

/** How a response is derived: files, sources, and a statement. */
export const explanationOf = (address: string): string => `${address}${address.includes("?") ? "&" : "?"}explain=true`;

/** The term that an address chooses, such as `2026 Fall`: by itself, or because it is a section's. */
export function termIn({ search, pathname }: { search: string; pathname: string }): string | undefined {
  const [, year, quarter] = /\/sections\/(\d{4})\/(\w+)\//.exec(pathname) ?? [];
  return new URLSearchParams(search).get("term") ?? (year && quarter && `${year} ${quarter}`);
}

/** A term that was chosen goes with the reader from view to view. */
const chosenTerm = () => page.location && termIn(page.location);

/** Returns the address of a view. */
export const viewAddress = (path: string, query: Query = {}): string =>
  withQuery(path.slice(1), { term: chosenTerm(), ...query });

export const courseId = (department: string, courseNumber: string): string =>
  `${department}${courseNumber}`.replaceAll(" ", "");

export const courseAddress = (id: string, query?: Query) => viewAddress(`/courses/${encodeURIComponent(id)}`, query);
export const instructorAddress = (netid: string, query?: Query) =>
  viewAddress(`/instructors/${encodeURIComponent(netid)}`, query);
export const departmentAddress = (code: string, query?: Query) =>
  viewAddress(`/departments/${encodeURIComponent(code)}`, query);
export const sectionAddress = ({ year, quarter, code }: { year: string; quarter: string; code: string }) =>
  viewAddress(`/sections/${year}/${quarter}/${code}`, { term: undefined });
/** `courses` by name, such as `COMPSCI 161`. `locked` are codes too. */
export const planAddress = (
  term: string,
  codes: readonly string[] = [],
  courses: readonly string[] = [],
  locked: readonly string[] = [],
) => viewAddress("/plan", { term, sections: codes.join(","), courses: courses.join(","), locked: locked.join(",") });
export const findAddress = (query: Query) => viewAddress("/find", query);
