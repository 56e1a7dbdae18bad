/** The HTTP side of the systems: reads a request, routes it to its system, sends the response. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CampusResponse, Params } from "./response.ts";
import { htmlResponse, notFound } from "../html.ts";
import { SYSTEM_PATHS, type CampusSystem, type CampusUrl } from "./systems.ts";

/** Forms are short; a larger body is not a form. */
const MOST_FORM_BYTES = 1_000_000;

export interface RequestTarget {
  readonly path: string;
  readonly params: Params;
}

/** Listens on loopback. */
export async function listen(
  handle: RequestListener,
  port: number,
): Promise<{ urls: Readonly<Record<CampusUrl, string>>; close(): Promise<void> }> {
  const server = createServer(handle);
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = Object.fromEntries(Object.entries(SYSTEM_PATHS).map(([name, path]) => [name, base + path]));
  return {
    urls: urls as Record<CampusUrl, string>,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function readTarget(request: IncomingMessage): Promise<RequestTarget> {
  const url = new URL((request.url ?? "/").replace(/^\/{2,}/, "/"), "http://127.0.0.1");
  const form = request.method === "POST" ? new URLSearchParams(await readForm(request)) : [];
  return { path: url.pathname, params: firstValues([...form, ...url.searchParams]) };
}

export const isBelow = (system: string, path: string): boolean =>
  path === system || (system.endsWith("/") && path.startsWith(system));

export function dispatch(
  { path, params }: RequestTarget,
  { method = "GET", headers }: IncomingMessage,
  systems: readonly CampusSystem[],
): CampusResponse {
  const system = systems.find((system) => isBelow(system.path, path));
  if (path === "/") return frontPage();
  if (!system) return notFound();
  if (!system.methods.includes(method)) {
    return {
      ...htmlResponse("Method Not Allowed", "<h1>Method Not Allowed</h1>", 405),
      headers: { Allow: system.methods.join(", ") },
    };
  }
  return system.answer({ rest: decodePath(path.slice(system.path.length)), params, method, headers });
}

export function sendResponse(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, type, body, headers = {} }: CampusResponse,
): void {
  if (status === 304) {
    response.writeHead(304, headers).end();
    return;
  }
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  response.writeHead(status, { "Content-Type": type, "Content-Length": bytes.length, ...headers });
  response.end(method === "HEAD" ? undefined : bytes);
}

function frontPage(): CampusResponse {
  const items = Object.values(SYSTEM_PATHS).map((path) => `<li><a href="${path}">${path}</a></li>`);
  return htmlResponse("Welcome", `<h1>Sample Campus</h1>\n<ul>\n${items.join("\n")}\n</ul>`);
}

function firstValues(pairs: readonly (readonly [string, string])[]): Params {
  const params = new Map<string, string>();
  for (const [name, value] of pairs) if (!params.has(name)) params.set(name, value);
  return params;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function readForm(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > MOST_FORM_BYTES) throw new RangeError("the form is too long");
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}
