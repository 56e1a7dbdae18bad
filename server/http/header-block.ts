/** The headers of a cached response: checked and ordered once, with the few values that differ from response to response filled in. */
import { type ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";

/** Names of headers, lower case. */
const VARYING = ["age", "cache-control", "content-length", "etag", "x-request-id"] as const;
export type VaryingHeader = (typeof VARYING)[number];

export interface HeaderBlock {
  /** The value that it was made with. */
  readonly etag: string;
  /** Writes the status line and the headers. */
  write(response: ServerResponse, values: Readonly<Partial<Record<VaryingHeader, string>>>): void;
}

/** @throws as node:http does for a header that may not be sent */
export function createHeaderBlock(status: number, headers: Readonly<Record<string, string>>): HeaderBlock {
  const lines = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of lines) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  // Names and values by turns, as node:http takes them without a copy.
  const flat = lines.flat();
  const varying = VARYING.map((name) => [name, flat.indexOf(name) + 1] as const).filter(([, at]) => at > 0);
  return {
    etag: Object.fromEntries(lines)["etag"] ?? "",
    write(response, values) {
      const own = flat.slice();
      for (const [name, at] of varying) own[at] = values[name] ?? (flat[at] as string);
      response.writeHead(status, "", own);
    },
  };
}
