/** The address of this installation, for a document that names whole addresses. */
import type { H3Event } from "h3";
import { forwardedHost, forwardedProtocol } from "../response/forwarded.ts";

export interface Installation {
  /** The path prefix, with a slash at both ends. */
  readonly base: string;
  /** Whether a proxy says in `X-Forwarded-Proto` and `X-Forwarded-Host` what it was asked by. */
  readonly trustProxy: boolean;
}

/** The headers that the address is read from, for `Vary`. */
export const addressHeaders = ({ trustProxy }: Pick<Installation, "trustProxy">): string =>
  trustProxy ? "Host, X-Forwarded-Host, X-Forwarded-Proto" : "Host";

/** As the client of this request wrote it, such as `https://data.example.edu/academic/`. */
export function installationAddress({ req, url }: H3Event, { base, trustProxy }: Installation): string {
  const forwarded = (name: string) => (trustProxy ? (req.headers.get(name) ?? "") : "");
  const protocol = forwardedProtocol(forwarded("x-forwarded-proto")) ?? "http";
  return `${protocol}://${forwardedHost(forwarded("x-forwarded-host")) ?? url.host}${base}`;
}
