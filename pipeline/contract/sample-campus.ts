/** How the manifest, the log and the start page call data of the embedded campus. */
export const CAMPUS_SIZES = ["standard", "full"] as const;
export type CampusSize = (typeof CAMPUS_SIZES)[number];

/** `sample campus (standard)` */
export const sampleName = (size: CampusSize): string => `sample campus (${size})`;

/** The size that such a name says; undefined for any other source. */
export const sampleSizeOf = (source: string): CampusSize | undefined =>
  CAMPUS_SIZES.find((size) => sampleName(size) === source);

type Sources = Readonly<Record<string, string>>;

/** Whether two manifests' schedules are of one campus: the sample of one size, or a real university wherever its pages are. */
export const isSameCampus = ({ schedule: a }: Sources, { schedule: b }: Sources): boolean =>
  a === undefined || b === undefined || sampleSizeOf(a) === sampleSizeOf(b);
