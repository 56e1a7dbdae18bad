/** A colour for each course of a plan, by its number among `--course-1` to `--course-8` of the styles. */
export const COLORS = 8;

/** In the order of the courses, so that each keeps its colour when one is added; a ninth begins again. */
export const colorsOf = (courses: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(courses)].map((course, i) => [course, (i % COLORS) + 1]));
