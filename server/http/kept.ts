/** A finished response that can be replayed to equal requests. */
import type { EncodedBody } from "../response/encoding/encoding.ts";

type Headers = Readonly<Record<string, string>>;

/** How long a response may be replayed; times in milliseconds. */
export interface Life {
  readonly isValid: (time: number) => boolean;
  /** Returns the headers that depend on the time. */
  readonly headersAt: (time: number) => Headers;
}

/** A finished response. */
export interface CachedResponse extends Life {
  readonly route: string;
  readonly snapshotId: string;
  /** The time of Last-Modified, in milliseconds. */
  readonly modified: number;
  readonly tags: readonly string[];
  readonly notModified: Headers;
  /** The headers of the 200; undefined while only 304s were sent, or where no two responses have the same body. */
  readonly ok: Headers | undefined;
  /** Returns undefined once the body has been evicted. */
  readonly body: () => EncodedBody | undefined;
}
