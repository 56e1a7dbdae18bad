/** The sample campus on loopback HTTP: one server, seven systems under a path each. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CampusResponse, Params } from "./response.ts";
import { htmlResponse, notFound } from "./html.ts";
import { createSystems, SYSTEM_PATHS, type CampusUrl } from "./systems.ts";
import type { CampusSize } from "../contract/sample-campus.ts";
import { createWorld, type CampusWorld } from "./world.ts";

export interface CampusOptions {
  readonly size: CampusSize;
  readonly seed?: number;
  /** The campus clock: its day determines the content of every page. */
  readonly clock?: () => Date;
  /** 0, the default, is any free port. */
  readonly port?: number;
}

export interface Campus {
  /** The address of each system, by the environment variable that it belongs in. */
  readonly urls: Readonly<Record<CampusUrl, string>>;
  close(): Promise<void>;
}

export const DEFAULT_SEED = 2014;
const MAX_FORM_BYTES = 1_000_000;

/** Starts the campus in this process. */
export async function startCampus(options: CampusOptions): Promise<Campus & { readonly world: CampusWorld }> {
  const { size, seed = DEFAULT_SEED, clock = () => new Date(), port = 0 } = options;
  const world = createWorld({ size, seed, clock });
  return { world, ...(await serveWorld(world, port)) };
}

/** Serves an existing campus. */
export async function serveWorld(world: CampusWorld, port = 0): Promise<Campus> {
  const systems = createSystems(world);
  const server = createServer((request, response) => {
    respond(request, systems)
      .catch((error: unknown) => htmlResponse("Error", `<h1>Error</h1><p>${String(error)}</p>`, 500))
      .then((made) => send(request, response, made))
      .catch(() => response.destroy());
  });
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

async function respond(request: IncomingMessage, systems: ReturnType<typeof createSystems>): Promise<CampusResponse> {
  const url = new URL((request.url ?? "/").replace(/^\/{2,}/, "/"), "http://127.0.0.1");
  const system = systems.find(
    ({ path }) => url.pathname === path || (path.endsWith("/") && url.pathname.startsWith(path)),
  );
  if (url.pathname === "/") return frontPage();
  if (!system) return notFound();
  if (!system.methods.includes(request.method ?? "")) {
    return {
      ...htmlResponse("Method Not Allowed", "<h1>Method Not Allowed</h1>", 405),
      headers: { Allow: system.methods.join(", ") },
    };
  }
  const form = request.method === "POST" ? new URLSearchParams(await readForm(request)) : [];
  return system.respond({
    rest: decodePath(url.pathname.slice(system.path.length)),
    params: firstValues([...form, ...url.searchParams]),
    method: request.method ?? "GET",
    headers: request.headers,
  });
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
    if (size > MAX_FORM_BYTES) throw new RangeError("the form is too long");
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, headers = {} }: CampusResponse,
): void {
  if (status === 304) {
    response.writeHead(304, headers).end();
    return;
  }
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  response.writeHead(status, { "Content-Type": type, "Content-Length": bytes.length, ...headers });
  response.end(request.method === "HEAD" ? undefined : bytes);
}
