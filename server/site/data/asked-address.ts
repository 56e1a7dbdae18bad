/** The address that a client asked by, for a document that names whole addresses. */
import type { H3Event } from "h3";

export interface AskedBy {
  /** The path prefix of this installation, with a slash at both ends. */
  readonly base: string;
  /** Whether a proxy says in `X-Forwarded-Proto` and `X-Forwarded-Host` what it was asked. */
  readonly trustProxy: boolean;
}

const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Such as `https://data.example.edu/academic/`. */
export function askedAddress({ req, url }: H3Event, { base, trustProxy }: AskedBy): string {
  // A chain of proxies appends; the first is what the client asked.
  const forwarded = (name: string) => (trustProxy ? req.headers.get(name)?.split(",")[0]?.trim() : undefined);
  const protocol = forwarded("x-forwarded-proto") === "https" ? "https" : "http";
  const host = forwarded("x-forwarded-host");
  return `${protocol}://${host !== undefined && HOST.test(host) ? host : url.host}${base}`;
}
