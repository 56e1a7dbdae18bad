/** The address of this installation, for a document that names whole addresses. */
import type { H3Event } from "h3";

export interface Installation {
  /** The path prefix, with a slash at both ends. */
  readonly base: string;
  /** Whether a proxy says in `X-Forwarded-Proto` and `X-Forwarded-Host` what it was asked by. */
  readonly trustProxy: boolean;
}

const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** The headers that the address is read from, for `Vary`. */
export const addressHeaders = ({ trustProxy }: Pick<Installation, "trustProxy">): string =>
  trustProxy ? "Host, X-Forwarded-Host, X-Forwarded-Proto" : "Host";

/** As the client of this request wrote it, such as `https://data.example.edu/academic/`. */
export function installationAddress({ req, url }: H3Event, { base, trustProxy }: Installation): string {
  // Each proxy of a chain appends its own.
  const forwarded = (name: string) => (trustProxy ? req.headers.get(name)?.split(",")[0]?.trim() : undefined);
  const protocol = forwarded("x-forwarded-proto") === "https" ? "https" : "http";
  const host = forwarded("x-forwarded-host");
  return `${protocol}://${host !== undefined && HOST.test(host) ? host : url.host}${base}`;
}
