/** Splits a course with more sections than fit into an answer. */

/** Returns the distinct section codes of a schedule, ascending. */
function sectionCodes(schedule: unknown): string[] {
  const codes = new Set<string>();
  JSON.stringify(schedule, (name, value: unknown) => {
    if (name === "sectionCode" && typeof value === "string") codes.add(value);
    return value;
  });
  return [...codes].sort();
}

/**
 * Returns values of `sectionCodes` that together cover all sections of a schedule, each with at most about `bytes` of
 * it.
 */
export function sectionParts(schedule: unknown, bytes: number): string[] {
  const codes = sectionCodes(schedule);
  // Every part repeats what surrounds the sections, and sections vary in length.
  const parts = Math.ceil((1.5 * Buffer.byteLength(JSON.stringify(schedule))) / bytes);
  const size = Math.max(1, Math.floor(codes.length / parts));
  return Array.from({ length: Math.ceil(codes.length / size) }, (_, i) => {
    const partCodes = codes.slice(i * size, (i + 1) * size);
    return partCodes.length === 1 ? (partCodes[0] as string) : `${partCodes[0]}-${partCodes.at(-1)}`;
  });
}
