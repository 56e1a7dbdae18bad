/** The name of the embedded campus in manifest, log and site. */
export const CAMPUS_SIZES = ["standard", "full"] as const;
export type CampusSize = (typeof CAMPUS_SIZES)[number];

/** `sample campus (standard)` */
export const sampleName = (size: CampusSize): string => `sample campus (${size})`;

export const sampleSizeOf = (source: string): CampusSize | undefined =>
  CAMPUS_SIZES.find((size) => sampleName(size) === source);

type Sources = Readonly<Record<string, string>>;

/** True when a manifest's data is invented. */
export const isSample = (source: Sources): boolean =>
  Object.values(source).some((from) => from.startsWith("sample campus"));

/**
 * True when two manifests' schedules are of the same campus: a sample of the same size, or a real university at any
 * address.
 */
export const isSameCampus = ({ schedule: a }: Sources, { schedule: b }: Sources): boolean =>
  a === undefined || b === undefined || sampleSizeOf(a) === sampleSizeOf(b);
