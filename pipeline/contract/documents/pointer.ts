/** `current.json` of a store: which snapshot is current, and which earlier ones are retained. */
import { z } from "zod";
import { earlierSnapshot, freshness, manifest } from "./manifest.ts";

export const pointer = z.object({
  /** The whole manifest, so that a single damaged document never hides what is published. */
  snapshot: manifest,
  /** Newest first. */
  retained: z.array(earlierSnapshot),
  /** Set when the current snapshot is retained for good once it is replaced. */
  isKept: z.literal(true).exactOptional(),
  /** When the data was checked last; absent where a file beside the store says it. */
  freshness: freshness.exactOptional(),
});
export type Pointer = z.infer<typeof pointer>;
