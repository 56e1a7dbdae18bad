/**
 * Reads what a proxy in front of the server writes: the address of its client (`X-Forwarded-For`), and the
 * scheme and the host that it was asked by. Each proxy of a chain appends its own value, so the last one is that
 * of the trusted proxy; clients can forge the others.
 */
import { isIP, isIPv4 } from "node:net";

/** The items of such a header, without the empty ones, last one first. */
const itemsFromLast = (header: string): string[] =>
  header
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .toReversed();

/** An address as proxies write it: quoted, in brackets, with a port that may be obfuscated (RFC 7239 §6). */
const NODE = /^(?:\[([^\]]*)\]|([^:]*))(?::\w*)?$/;
const QUOTED = /^"(.*)"$/;

/**
 * The IP address of an item of `X-Forwarded-For`, without its port; undefined for `unknown`, `_hidden` and what
 * is no address.
 */
function addressIn(item: string): string | undefined {
  const node = QUOTED.exec(item)?.[1] ?? item;
  const [, bracketed, bare] = NODE.exec(node) ?? [];
  return [node, bracketed, bare].find((text) => text !== undefined && isIP(text) !== 0);
}

/** The address of the client that the last proxy saw; undefined when it did not say. */
export function forwardedAddress(header: string): string | undefined {
  const [last] = itemsFromLast(header);
  return last === undefined ? undefined : addressIn(last);
}

export const forwardedProtocol = (header: string): "http" | "https" | undefined =>
  itemsFromLast(header)
    .map((item) => item.toLowerCase())
    .find((item) => item === "http" || item === "https");

const MAX_NAME = 253;
const HOST = /^(?:\[([\da-f:.]+)\]|((?:[\w~-]{1,63}\.)*[\w~-]{1,63})\.?)(?::(\d*))?$/i;

/** A host with its port, without the dot of the DNS root; undefined for what no client can have asked for. */
function hostIn(item: string): string | undefined {
  const [, address, name = "", port] = HOST.exec(item) ?? [];
  const host = `${address === undefined ? name : `[${address}]`}${port ? `:${port}` : ""}`;
  return name.length <= MAX_NAME && Number(port || 1) > 0 && URL.canParse(`http://${host}`) ? host : undefined;
}

/** The last valid host that proxies name; undefined when there is none. */
export const forwardedHost = (header: string): string | undefined =>
  itemsFromLast(header)
    .map(hostIn)
    .find((host) => host !== undefined);

const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** The groups of an IPv4-mapped address before the IPv4 address (RFC 4291 §2.5.5.2). */
const MAPPED = "0:0:0:0:0:ffff";

/**
 * The part of an address that belongs to one subscriber: an IPv4 address, also where it is mapped into IPv6, or
 * the /64 of an IPv6 address, in one spelling.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(":") === MAPPED)
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".");
  return groups.slice(0, NETWORK_GROUPS).join(":");
}

/** The eight groups of an IPv6 address in lower case, without leading zeros and zone. */
function groupsOf(address: string): string[] {
  const [text = ""] = address.toLowerCase().split("%");
  const tail = text.slice(text.lastIndexOf(":") + 1);
  const hex = isIPv4(tail) ? `${text.slice(0, -tail.length)}${toGroups(tail)}` : text;
  const [head = "", rest] = hex.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const [leading, trailing] = [head === "" ? [] : head, rest ?? []];
  const zeros = Array.from({ length: GROUPS - leading.length - trailing.length }, () => "0");
  return [...leading, ...zeros, ...trailing].map((group) => Number.parseInt(group, 16).toString(16));
}

/** The last two groups of an address that ends in an IPv4 address. */
function toGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
