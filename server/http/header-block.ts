/** The headers of a cached response: validated and sorted once; only the varying values are filled in per response. */
import { type ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";

const VARYING = ["age", "cache-control", "content-length", "etag", "x-request-id"] as const;
export type VaryingHeader = (typeof VARYING)[number];

export interface HeaderBlock {
  readonly etag: string;
  write(response: ServerResponse, values: Readonly<Partial<Record<VaryingHeader, string>>>): void;
}

/** HTTP/1.1 connections stay open without the headers that say so, which are a sixth of a 304. */
export function omitConnection(response: ServerResponse): void {
  if (response.shouldKeepAlive && response.req.httpVersion === "1.1") response.removeHeader("Connection");
}

/** @throws like node:http for an invalid header */
export function createHeaderBlock(status: number, headers: Readonly<Record<string, string>>): HeaderBlock {
  const lines = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of lines) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  // The flat form that node:http takes without a copy: name, value, name, value.
  const flat = lines.flat();
  const varying = VARYING.map((name) => [name, flat.indexOf(name) + 1] as const).filter(([, at]) => at > 0);
  const initial = flat.slice();
  return {
    etag: Object.fromEntries(lines)["etag"] ?? "",
    write(response, values) {
      // In place: node:http has written the headers out before it returns.
      for (const [name, at] of varying) flat[at] = values[name] ?? (initial[at] as string);
      if (status === 304) omitConnection(response);
      response.writeHead(status, "", flat);
    },
  };
}
