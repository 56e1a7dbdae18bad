interface Person {
  readonly courseHistory: object;
}

/** The person whom a name of a course's section means; undefined unless it is exactly one of the people with that name. */
export function onlyPerson<P extends Person>(people: readonly P[], course: string): P | undefined {
  const those = people.length > 1 ? people.filter(({ courseHistory }) => course in courseHistory) : people;
  return those.length === 1 ? those[0] : undefined;
}
