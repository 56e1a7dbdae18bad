/** A course with more sections than an answer holds, in parts. */

/** The section codes that a schedule has, ascending, each once. */
function sectionCodes(schedule: unknown): string[] {
  const codes = new Set<string>();
  JSON.stringify(schedule, (name, value: unknown) => {
    if (name === "sectionCode" && typeof value === "string") codes.add(value);
    return value;
  });
  return [...codes].sort();
}

/** Values of the parameter `sectionCodes` that together have all of a schedule's sections, each with about `bytes` of it at most. */
export function sectionParts(schedule: unknown, bytes: number): string[] {
  const codes = sectionCodes(schedule);
  // What stands around the sections comes with every part, and they differ in length.
  const parts = Math.ceil((1.5 * Buffer.byteLength(JSON.stringify(schedule))) / bytes);
  const size = Math.max(1, Math.floor(codes.length / parts));
  return Array.from({ length: Math.ceil(codes.length / size) }, (_, i) => {
    const part = codes.slice(i * size, (i + 1) * size);
    return part.length === 1 ? (part[0] as string) : `${part[0]}-${part.at(-1)}`;
  });
}
