/** A request and a response of HTTP, whole in memory: what an S3 store gets and gives. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface StoreRequest {
  readonly method: string;
  /** The path as it was sent: percent-encoded. */
  readonly path: string;
  /** The query as it was sent, with its question mark. */
  readonly search: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface StoreResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An error of S3, sent as XML. */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string = code,
  ) {
    super(message);
  }
}

export function errorResponse({ status, code, message }: S3Error): StoreResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
  return xmlResponse(status, body);
}

export function xmlResponse(status: number, body: string): StoreResponse {
  return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(body) };
}

export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The object of a path-style address: `/bucket/key`. */
export function targetOf(path: string): { bucket: string; key: string } {
  const [, bucket = "", ...rest] = decodeURIComponent(path).split("/");
  return { bucket, key: rest.join("/") };
}

/** @throws Error when the client closes the connection before the end of its body */
export async function readRequest(request: IncomingMessage): Promise<StoreRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [, path = "/", search = ""] = /^([^?]*)(.*)$/.exec(request.url ?? "/") ?? [];
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: request.method ?? "GET",
    path,
    search,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

/** A server on a free port of loopback. `respond` gets whole requests; those that a client cut off are dropped. */
export async function listenForRequests(
  respond: (request: StoreRequest, response: ServerResponse) => Promise<void>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((incoming, response) => {
    readRequest(incoming)
      .then((request) => respond(request, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
