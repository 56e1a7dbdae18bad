/** A finished response that equal requests may get too, for whoever keeps it. */
import type { EncodedBody } from "../response/encoding/encoding.ts";

type Headers = Readonly<Record<string, string>>;

/** How long a response may be given again; times in milliseconds. */
export interface Life {
  readonly isValid: (at: number) => boolean;
  /** Those that differ from time to time. */
  readonly headersAt: (at: number) => Headers;
}

/** A finished response. */
export interface Kept extends Life {
  readonly route: string;
  readonly snapshotId: string;
  /** The time of Last-Modified. */
  readonly modified: number;
  readonly tags: readonly string[];
  readonly notModified: Headers;
  /** Of the 200; undefined while only 304s were sent, or where no two have the same body. */
  readonly ok: Headers | undefined;
  /** Undefined once it is cached no longer. */
  readonly body: () => EncodedBody | undefined;
}
