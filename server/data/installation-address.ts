/** Determines the address of this installation, for documents that contain absolute URLs. */
import type { H3Event } from "h3";
import { Problem } from "../response/problem.ts";
import { forwardedHost, forwardedProtocol } from "../response/forwarded.ts";

export interface Installation {
  /** The path prefix, with a slash at both ends. */
  readonly base: string;
  /** True if a proxy sends the original scheme and host in `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly trustProxy: boolean;
}

/** Names the headers that the address is read from, for `Vary`. */
export const addressHeaders = ({ trustProxy }: Pick<Installation, "trustProxy">): string =>
  trustProxy ? "Host, X-Forwarded-Host, X-Forwarded-Proto" : "Host";

/**
 * Returns the host.
 * @throws Problem (400) for a Host header that no URL can have, such as an invalid port
 */
function hostOf({ req, url }: H3Event): string {
  const host = req.headers.get("host") ?? url.host;
  if (!URL.canParse(`http://${host}`)) throw new Problem(400, "The Host header of the request is not valid.");
  return host;
}

/**
 * Returns the address as the client wrote it, such as `https://data.example.edu/academic/`.
 * @throws Problem (400) like `hostOf`
 */
export function installationAddress(event: H3Event, { base, trustProxy }: Installation): string {
  const forwarded = (name: string) => (trustProxy ? (event.req.headers.get(name) ?? "") : "");
  const protocol = forwardedProtocol(forwarded("x-forwarded-proto")) ?? "http";
  return `${protocol}://${forwardedHost(forwarded("x-forwarded-host")) ?? hostOf(event)}${base}`;
}
