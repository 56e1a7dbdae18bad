/** How the manifest, the log and the start page call data of the embedded campus. */
import { CAMPUS_SIZES, type CampusSize } from "./campus/sizes.ts";

/** `sample campus (standard)` */
export const sampleName = (size: CampusSize): string => `sample campus (${size})`;

/** The size that such a name says; undefined for any other source. */
export const sampleSizeOf = (source: string): CampusSize | undefined =>
  CAMPUS_SIZES.find((size) => sampleName(size) === source);
