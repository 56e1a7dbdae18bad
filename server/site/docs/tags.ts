/** The groups in which the reference shows operations. */
const TAGS = {
  schedule: ["Schedule", "Sections of a term: from the published data, or live from the upstream"],
  grades: ["Grades", "Grade statistics since 2014 Summer1"],
  instructors: ["Instructors", "Lecturers and professors, and what they taught"],
  courses: ["Courses", "The catalogue, with prerequisites both ways and who taught what when"],
  week: ["Week", "The academic week of a day"],
  larc: ["LARC", "Learning-assistance tutorials"],
  enrollmentHistory: ["Enrollment history", "How enrollment in a section went, day by day"],
  search: ["Search", "One box for courses, people, departments and section codes"],
  data: ["Data", "The published Parquet files themselves"],
  service: ["Service", "About the service itself"],
} as const satisfies Record<string, readonly [name: string, description: string]>;

/** The tag of an endpoint: by the first part of its path. */
export function tagOf(path: string): string {
  const first = path.split("/")[1] ?? "";
  const [name] = (TAGS as Record<string, readonly [string, string]>)[first] ?? [
    first.charAt(0).toUpperCase() + first.slice(1),
  ];
  return name;
}

/** Descriptions of the tags, in their order; a tag without one is listed by its name. */
export function describeTags(used: readonly string[]): { name: string; description?: string }[] {
  const known = Object.values(TAGS).map(([name, description]) => ({ name, description }));
  const others = [...new Set(used)].filter((name) => known.every((tag) => tag.name !== name));
  return [...known, ...others.map((name) => ({ name }))];
}
