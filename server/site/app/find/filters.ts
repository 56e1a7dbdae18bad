/** The filters of `/find`: they stand in its address under their names in `/schedule`, with some of the view's own. */

export const SCHEDULE_FILTERS = [
  "ge",
  "department",
  "courseNumber",
  "courseTitle",
  "instructorName",
  "building",
  "room",
  "division",
  "sectionType",
  "units",
  "days",
  "startTime",
  "endTime",
  "fullCourses",
  "maxCapacity",
  "sectionCodes",
  "excludeRestrictionCodes",
] as const;
/** `noRestriction=true`, `fitsPlan=true`, `prerequisites=true`, and the order of the results. */
const OWN = ["noRestriction", "fitsPlan", "prerequisites", "sort"] as const;
const NAMES = [...SCHEDULE_FILTERS, ...OWN];

type FilterName = (typeof NAMES)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export function filtersIn(query: Readonly<Record<string, string | undefined>>): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** A query needs one of these; without any, it would return most of the term. */
const NARROW = [
  "ge",
  "department",
  "courseNumber",
  "courseTitle",
  "instructorName",
  "building",
  "days",
  "startTime",
  "endTime",
  "sectionCodes",
] as const;
export const isNarrow = (filters: Filters): boolean => NARROW.some((name) => filters[name] !== undefined);
export const isEmpty = (filters: Filters): boolean => NAMES.every((name) => name === "sort" || !filters[name]);

/** Any letter: the schedule system defines the codes. */
const ALL_LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCodePoint(65 + i)).join(",");

/** Returns the parameters of `/schedule`. */
export function scheduleQuery({
  noRestriction,
  fitsPlan: _plan,
  prerequisites: _met,
  sort: _sort,
  ...filters
}: Filters) {
  return noRestriction ? { ...filters, excludeRestrictionCodes: ALL_LETTERS } : filters;
}
