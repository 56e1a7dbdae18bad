/** The groups of the reference. */
const TAGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  schedule: ["Schedule", "Sections of a term: from the published data, or live from the upstream"],
  grades: ["Grades", "Grade statistics since 2014 Summer1"],
  instructors: ["Instructors", "Lecturers and professors, and what they taught"],
  courses: ["Courses", "The catalogue, with prerequisites in both directions and teaching history"],
  week: ["Week", "The academic week of a day"],
  calendar: ["Calendar", "The terms with their dates"],
  larc: ["LARC", "Learning-assistance tutorials"],
  enrollmentHistory: ["Enrollment history", "Enrollment per section and day"],
  search: ["Search", "Free-text search for courses, people, departments and section codes"],
  changes: ["Changes", "What changed in the schedule, as a list, a feed and a stream of events"],
  data: ["Data", "The published Parquet files"],
  service: ["Service", "Health and this document"],
};

/** Returns the tag by the first segment of the path. */
export function tagOf(path: string): string {
  const first = path.split("/")[1] ?? "";
  return TAGS[first]?.[0] ?? first.charAt(0).toUpperCase() + first.slice(1);
}

export function describeTags(used: readonly string[]): { name: string; description?: string }[] {
  const knownTags = Object.values(TAGS).map(([name, description]) => ({ name, description }));
  const others = [...new Set(used)].filter((name) => knownTags.every((tag) => tag.name !== name));
  return [...knownTags, ...others.map((name) => ({ name }))];
}
