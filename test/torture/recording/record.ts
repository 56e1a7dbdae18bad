/** A server's response to every request of a recording: status, headers and the hash of the body, by request. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { decode } from "../../server/http/wire.ts";
import { serveCompiled } from "../../support/compiled-server.ts";
import { FIRST_PAGES, type Request, toRequests } from "./requests.ts";

export type Recording = ReadonlyMap<string, string>;

/** The modes of a server, by their environment. */
const MODES: readonly Readonly<Record<string, string>>[] = [{}, { COMPAT: "1" }, { BASE_PATH: "/academic" }];
const HOUR_MS = 3_600_000;
/** A stream of events never ends: what comes at once is recorded. */
const STREAM_MS = 200;
const MOST_PAGES = 200;
/** Headers of the connection. */
const PASSING = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);
/**
 * The state of the machine, and a catalogue whose pages DuckDB lays out in one of several orders: only their status
 * counts.
 */
const UNSTEADY = /^\/(?:metrics|status\b|v1\/data\/.*lake\.ducklake)/;

/** The server's clock stands still, an hour after the data: ages, days and times are the same in every recording. */
async function clockOf(artifactsDir: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(artifactsDir, "current", "manifest.json"), "utf8")) as Manifest;
  const now = Date.parse(manifest.createdAt) + HOUR_MS;
  const script = `globalThis.Date = class extends Date { constructor(...a) { super(...(a.length ? a : [${now}])); } static now() { return ${now}; } };`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

/** A request on one line, which tells it from all others. */
const keyOf = ({ method = "GET", path, headers = {}, body = "" }: Request): string =>
  [method, path, ...Object.entries(headers).map((pair) => pair.join(": ")), body].filter(Boolean).join(" ");

type Response = Readonly<{ head: IncomingMessage; text: string }>;

function send(base: string, agent: Agent, { method = "GET", path, headers, body }: Request): Promise<Response> {
  const { hostname, port } = new URL(base);
  const sent = { Host: "localhost:3000", "X-Request-Id": "recording", ...headers };
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path, headers: sent, agent }, (head) => {
      const parts: Buffer[] = [];
      const end = () => {
        const raw = Buffer.concat(parts);
        const encoding = raw.length > 0 ? head.headers["content-encoding"] : undefined;
        resolve({ head, text: decode(raw, encoding).toString("latin1") });
      };
      head
        .on("data", (part: Buffer) => parts.push(part))
        .on("end", end)
        .on("error", reject);
      if (!head.headers["content-type"]?.startsWith("text/event-stream")) return;
      void sleep(STREAM_MS).then(() => {
        head.off("error", reject).on("error", () => undefined);
        end();
        asked.destroy();
      });
    });
    asked.on("error", reject).end(body);
  });
}

function written({ path }: Request, { head, text }: Response): string {
  const headers = Object.entries(head.headers).filter(([name]) => !PASSING.has(name));
  const body = createHash("sha256").update(text).digest("hex");
  return UNSTEADY.test(path) ? String(head.statusCode) : JSON.stringify([head.statusCode, ...headers, body]);
}

/** Addresses of the same server in pages, texts and lists. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/["(\s](\/[\w%~.:/?=&-]*)(?=["\s)])/g)].map(([, path = ""]) => path);

/** @param folder a checkout in which `make setup` was called */
export async function record(folder: string, artifactsDir: string): Promise<Recording> {
  const recorded = new Map<string, string>();
  for (const mode of MODES) {
    const env = { ...mode, ARTIFACTS_DIR: artifactsDir, NODE_OPTIONS: await clockOf(artifactsDir) };
    const server = await serveCompiled(env, folder);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const add = async (sent: Request): Promise<Response> => {
      const response = await send(server.url, agent, sent);
      recorded.set(keyOf({ ...sent, headers: { ...mode, ...sent.headers } }), written(sent, response));
      return response;
    };
    try {
      const pages = [...FIRST_PAGES];
      for (const path of pages)
        for (const Accept of ["text/html", "application/json"]) {
          const { text } = await add({ path, headers: { Accept } });
          for (const link of linksIn(text)) if (pages.length < MOST_PAGES && !pages.includes(link)) pages.push(link);
        }
      for (const request of toRequests()) {
        const { head } = await add(request);
        const { etag } = head.headers;
        if (etag && !request.headers && !UNSTEADY.test(request.path))
          await add({ ...request, headers: { "If-None-Match": etag } });
      }
    } finally {
      agent.destroy();
      server.close();
    }
  }
  return recorded;
}

/** The differences, a request per line. */
export const differences = (before: Recording, after: Recording): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key}\n  before ${before.get(key)}\n  after  ${after.get(key)}`);
