/**
 * How clients reach this installation, and who they are. Behind a trusted proxy its headers say so: the address of its
 * client (`X-Forwarded-For`), and the scheme and host of the original request. Each proxy of a chain appends its own
 * value, so the last one is from the trusted proxy; clients can forge the others.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { H3Event } from "h3";
import { NO_CLIENT } from "../duckdb/queue.ts";
import { Problem } from "./problem.ts";

export interface Installation {
  /** The path prefix, with a slash at both ends. */
  readonly base: string;
  /** True if a proxy sends the original scheme and host in `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly trustProxy: boolean;
}

export const LOOPBACK = /^(?:::1$|(?:::ffff:)?127\.)/i;

/** Names the headers that `installationAddress` reads, for `Vary`. */
export const addressHeaders = ({ trustProxy }: Installation): string =>
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
  const forwarded = (name: string) => (trustProxy ? itemsFromLast(event.req.headers.get(name) ?? "") : []);
  const protocol =
    forwarded("x-forwarded-proto")
      .find((item) => /^https?$/i.test(item))
      ?.toLowerCase() ?? "http";
  const host = forwarded("x-forwarded-host")
    .map(hostIn)
    .find((item) => item !== undefined);
  return `${protocol}://${host ?? hostOf(event)}${base}`;
}

/**
 * Returns the client address that a request is counted for: the peer, or, behind a trusted proxy, the address that the
 * proxy saw. An IPv6 /64 counts as one client, because a subscriber owns all of its addresses.
 */
export function clientOf(request: IncomingMessage, trustProxy: boolean): string {
  const [last] = trustProxy ? itemsFromLast(String(request.headers["x-forwarded-for"] ?? "")) : [];
  const forwarded = last === undefined ? undefined : addressIn(last);
  return networkOf(forwarded ?? request.socket.remoteAddress ?? "");
}

/** Returns the same for a routed request; requests from within the process have no address. */
export const clientOfEvent = ({ runtime }: H3Event, trustProxy: boolean): string =>
  runtime?.node ? clientOf(runtime.node.req as IncomingMessage, trustProxy) : NO_CLIENT;

/** Splits a header into its non-empty items, last one first. */
const itemsFromLast = (header: string): string[] =>
  header
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .toReversed();

/** Matches an address as proxies write it: quoted, in brackets, with a port that may be obfuscated (RFC 7239 §6). */
const NODE = /^(?:\[([^\]]*)\]|([^:]*))(?::\w*)?$/;
const QUOTED = /^"(.*)"$/;

/**
 * Returns the IP address of an item of `X-Forwarded-For`, without its port; undefined for `unknown`, `_hidden` and
 * anything that is not an address.
 */
function addressIn(item: string): string | undefined {
  const node = QUOTED.exec(item)?.[1] ?? item;
  const [, bracketed, bare] = NODE.exec(node) ?? [];
  return [node, bracketed, bare].find((text) => text !== undefined && isIP(text) !== 0);
}

const MAX_NAME = 253;
const HOST = /^(?:\[([\da-f:.]+)\]|((?:[\w~-]{1,63}\.)*[\w~-]{1,63})\.?)(?::(\d*))?$/i;

/**
 * Returns a host with its port, without the dot of the DNS root; undefined for a host that no client can have
 * requested.
 */
function hostIn(item: string): string | undefined {
  const [, address, name = "", port] = HOST.exec(item) ?? [];
  const host = `${address === undefined ? name : `[${address}]`}${port ? `:${port}` : ""}`;
  return name.length <= MAX_NAME && Number(port || 1) > 0 && URL.canParse(`http://${host}`) ? host : undefined;
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** The groups of an IPv4-mapped address in front of the IPv4 address (RFC 4291 §2.5.5.2). */
const MAPPED = "0:0:0:0:0:ffff";

/**
 * Returns the part of an address that belongs to one subscriber, in a canonical spelling: an IPv4 address, even if
 * mapped into IPv6, or the /64 of an IPv6 address.
 */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(":") === MAPPED)
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".");
  return groups.slice(0, NETWORK_GROUPS).join(":");
}

/** Expands an IPv6 address to eight groups in lower case, without leading zeros and zone. */
function groupsOf(address: string): string[] {
  // URL writes an IPv4 suffix as groups and shortens the longest run of zeros.
  const { hostname } = new URL(`http://[${address.split("%")[0]}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((side) => side.split(":").filter(Boolean));
  return [...head, ...Array.from({ length: GROUPS - head.length - tail.length }, () => "0"), ...tail];
}
