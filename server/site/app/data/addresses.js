/** Addresses of views and of JSON, below the path prefix of this installation (`BASE_PATH`). */
/** `/`, or `/academic/`. */
export const BASE = document.documentElement.dataset["base"] ?? "/";
/** Empty values are left out. */
function withQuery(path, query) {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) text.append(name, value);
  return `${BASE}${path}${text.size === 0 ? "" : `?${text}`}`;
}
/** Of an endpoint, such as `/schedule`. */
export const addressOf = (path, query = {}) => withQuery(`v1/rest${path}`, query);
/** Of another JSON document or file, such as `/status` or `/v1/data/manifest.json`. */
export const resourceAddress = (path) => `${BASE}${path.slice(1)}`;
/** How a response is derived: files, sources, and a statement. */
export const explanationOf = (address) => `${address}${address.includes("?") ? "&" : "?"}explain=true`;
/** A term that was chosen goes with the reader from view to view. */
const chosenTerm = () => new URLSearchParams(globalThis.location.search).get("term") ?? undefined;
/** Of a view. */
export const viewAddress = (path, query = {}) => withQuery(path.slice(1), { term: chosenTerm(), ...query });
export const courseId = (department, courseNumber) => `${department}${courseNumber}`.replaceAll(" ", "");
export const courseAddress = (id, query) => viewAddress(`/courses/${encodeURIComponent(id)}`, query);
export const instructorAddress = (netid) => viewAddress(`/instructors/${encodeURIComponent(netid)}`);
export const departmentAddress = (code) => viewAddress(`/departments/${encodeURIComponent(code)}`);
export const sectionAddress = ({ year, quarter, code }) =>
  viewAddress(`/sections/${year}/${quarter}/${code}`, { term: undefined });
export const findAddress = (query) => viewAddress("/find", query);
