/** The headers of a cached response: validated and sorted once; only the varying values are filled in per response. */
import { type ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";

/** Those that a response has and that are not given keep their first value. */
export interface VaryingHeaders {
  readonly age?: string | undefined;
  readonly cacheControl?: string | undefined;
  readonly contentLength?: string;
  readonly etag?: string;
  readonly requestId: string;
}

export interface HeaderBlock {
  readonly etag: string;
  write(response: ServerResponse, values: VaryingHeaders): void;
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
  const valueOf = (name: string) => flat.indexOf(name) + 1;
  const [age, cacheControl, contentLength] = [valueOf("age"), valueOf("cache-control"), valueOf("content-length")];
  const [etag, requestId] = [valueOf("etag"), valueOf("x-request-id")];
  const fill = (at: number, value: string | undefined): void => {
    if (at > 0 && value !== undefined) flat[at] = value;
  };
  return {
    etag: Object.fromEntries(lines)["etag"] ?? "",
    write(response, values) {
      // In place, because node:http has written the headers out before it returns; one by one, because looking values up by
      // names kept in variables makes a small response a fifth slower.
      fill(age, values.age);
      fill(cacheControl, values.cacheControl);
      fill(contentLength, values.contentLength);
      fill(etag, values.etag);
      fill(requestId, values.requestId);
      if (status === 304) omitConnection(response);
      response.writeHead(status, "", flat);
    },
  };
}
