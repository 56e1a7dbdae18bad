/**
 * True when an address is on the same host and port as `own`, by http or https; an upgrade from http to https on the
 * default ports counts. The author of a page or a redirect must not choose which other hosts this program sends
 * requests to.
 */
export function isOwnHost(address: URL, own: URL): boolean {
  if (address.protocol !== "http:" && address.protocol !== "https:") return false;
  // A link that is resolved against an address with credentials has the same credentials.
  if (address.username !== "" && (address.username !== own.username || address.password !== own.password)) return false;
  if (address.origin === own.origin) return true;
  const isUpgrade = own.protocol === "http:" && address.protocol === "https:";
  return isUpgrade && address.hostname === own.hostname && address.port === "" && own.port === "";
}
