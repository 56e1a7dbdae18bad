/** Identifies the client that a request is counted for, wherever concurrent requests per client are limited. */
import type { IncomingMessage } from "node:http";
import type { H3Event } from "h3";
import { NO_CLIENT } from "../duckdb/queue.ts";
import { forwardedAddress, networkOf } from "./forwarded.ts";

/**
 * Returns the client address that a request is counted for: the peer, or, behind a trusted proxy, the address that the
 * proxy saw. An IPv6 /64 counts as one client, because a subscriber owns all of its addresses.
 */
export function clientOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? forwardedAddress(String(request.headers["x-forwarded-for"] ?? "")) : undefined;
  return networkOf(forwarded ?? request.socket.remoteAddress ?? "");
}

/** Returns the same for a routed request; requests from within the process have no address. */
export const clientOfEvent = ({ runtime }: H3Event, trustProxy: boolean): string =>
  runtime?.node ? clientOf(runtime.node.req as IncomingMessage, trustProxy) : NO_CLIENT;
