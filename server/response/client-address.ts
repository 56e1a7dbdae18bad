/** The client that a request counts for, wherever what one client may ask at once has a bound. */
import type { IncomingMessage } from "node:http";
import type { H3Event } from "h3";
import { NO_CLIENT } from "../duckdb/queue.ts";
import { forwardedAddress, networkOf } from "./forwarded.ts";

/**
 * The client address that a request counts for: the peer, or, behind a trusted proxy, the address that the proxy saw.
 * An IPv6 /64 counts as one client, because a subscriber owns all of its addresses.
 */
export function clientOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? forwardedAddress(String(request.headers["x-forwarded-for"] ?? "")) : undefined;
  return networkOf(forwarded ?? request.socket.remoteAddress ?? "");
}

/** The same of a request that was routed; those within the process have no address. */
export const clientOfEvent = ({ runtime }: H3Event, trustProxy: boolean): string =>
  runtime?.node ? clientOf(runtime.node.req as IncomingMessage, trustProxy) : NO_CLIENT;
