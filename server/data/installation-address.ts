/** The address of this installation, for a document that names whole addresses. */
import type { H3Event } from "h3";
import { Problem } from "../response/problem.ts";
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

/** @throws Problem (400) for a Host header that no URL can have, such as one with a port that TCP does not have */
function ownHost({ req, url }: H3Event): string {
  const host = req.headers.get("host") ?? url.host;
  if (!URL.canParse(`http://${host}`)) throw new Problem(400, "The Host header of the request is not valid.");
  return host;
}

/**
 * As the client of this request wrote it, such as `https://data.example.edu/academic/`. @throws Problem (400) as
 * `ownHost` does
 */
export function installationAddress(event: H3Event, { base, trustProxy }: Installation): string {
  const forwarded = (name: string) => (trustProxy ? (event.req.headers.get(name) ?? "") : "");
  const protocol = forwardedProtocol(forwarded("x-forwarded-proto")) ?? "http";
  return `${protocol}://${forwardedHost(forwarded("x-forwarded-host")) ?? ownHost(event)}${base}`;
}
