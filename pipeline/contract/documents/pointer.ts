/** `current.json` of a store: the current snapshot, and the retained earlier ones. */
import { z } from "zod";
import { earlierSnapshot, freshness, manifest } from "./manifest.ts";

export const pointer = z.object({
  /** The whole manifest, so that a single damaged document never hides what is published. */
  snapshot: manifest,
  /** Newest first. */
  retained: z.array(earlierSnapshot),
  /** True when the current snapshot is retained forever once it is replaced. */
  isKept: z.literal(true).exactOptional(),
  /** The time of the last check of the data; absent when a file beside the store holds it. */
  freshness: freshness.exactOptional(),
});
export type Pointer = z.infer<typeof pointer>;
