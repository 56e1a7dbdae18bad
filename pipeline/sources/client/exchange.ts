/** A request and its complete response, by HTTP or from a file. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { UpstreamBadResponse, UpstreamRedirected, UpstreamRefused } from "../../errors.ts";
import { openRegularFile } from "../../regular-files.ts";
import { ACCEPT_ENCODING, collect, readBody } from "./body.ts";
import { isOwnHost } from "./own-host.ts";

export const USER_AGENT = "academic-data-rest-service/1.0 (read-only crawler)";

export interface UpstreamRequest {
  url: URL;
  /** The form that POST sends; without it the request is a GET. */
  form?: URLSearchParams;
  headers?: Record<string, string>;
  /** Follows redirects on the same host. Off by default: the schedule system redirects to signal its rate limit. */
  follow?: boolean;
  /** Statuses besides 200 that are not failures, such as 304 or 404. */
  accept?: readonly number[];
  /** Aborts the attempt and all retries. */
  signal?: AbortSignal;
}

/** A complete response: the body has the announced length and checksum. */
export interface UpstreamResponse {
  system: string;
  status: number;
  headers: Headers;
  body: Buffer;
  url: URL;
}

const MAX_REDIRECTS = 5;

/** Makes a single attempt. @throws UpstreamRefused, UpstreamBadResponse, and errors of node:http */
export async function exchange(
  system: string,
  request: UpstreamRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const { follow = false, accept = [] } = request;
  let { url, form } = request;
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, form, request.headers, signal);
    const status = response.statusCode ?? 0;
    const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    if (status === 200 || accept.includes(status)) {
      return { system, status, headers, body: await readBody(system, response, maxBytes, signal), url };
    }
    response.destroy();
    const location = headers.get("location");
    if (follow && isRedirect(status) && location !== null) {
      if (redirects === MAX_REDIRECTS) throw new UpstreamRedirected(system, `more than ${MAX_REDIRECTS} redirects`);
      url = redirectTarget(system, location, url, request.url);
      if (status !== 307 && status !== 308) form = undefined;
      continue;
    }
    const reason = isRedirect(status) && !follow ? "a redirect, which signals the rate limit" : `status ${status}`;
    throw new UpstreamRefused(system, reason, status, readRetryAfter(headers.get("retry-after")));
  }
}

/** Servers close idle connections after five seconds or more. */
const CONNECTIONS = { keepAlive: true, timeout: 4_000 };
const HTTP = { request: httpRequest, agent: new HttpAgent(CONNECTIONS) };
const HTTPS = { request: httpsRequest, agent: new HttpsAgent(CONNECTIONS) };

/** Resolves with the head of the response. */
function send(
  url: URL,
  form: URLSearchParams | undefined,
  headers: Record<string, string> = {},
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request, agent } = url.protocol === "https:" ? HTTPS : HTTP;
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const sent = request(url, {
      method: form ? "POST" : "GET",
      headers: {
        "User-Agent": USER_AGENT,
        Accept: "*/*",
        "Accept-Encoding": ACCEPT_ENCODING,
        ...(form ? { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8" } : {}),
        ...headers,
      },
      agent,
      signal,
    });
    sent.once("response", (head: IncomingMessage) => resolve((response = head)));
    sent.on("error", (error) => {
      reject(error);
      // An example is bytes after the announced end of the body.
      response?.destroy(error);
    });
    sent.end(form?.toString());
  });
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Returns the target. @throws UpstreamRedirected when it is not on the host of the original request */
function redirectTarget(system: string, location: string, from: URL, origin: URL): URL {
  if (!URL.canParse(location, from.href)) throw new UpstreamRedirected(system, "redirects to an invalid address");
  const target = new URL(location, from);
  if (isOwnHost(target, origin) && (target.protocol === from.protocol || target.protocol === "https:")) return target;
  const where =
    target.host === origin.host
      ? `another address: ${target.protocol}//${target.host}`
      : `another host: ${target.host}`;
  throw new UpstreamRedirected(system, `redirects to ${where}`);
}

/** Returns the charset parameter of the Content-Type. */
export function charsetOf(response: Pick<UpstreamResponse, "headers">): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(response.headers.get("content-type") ?? "")?.[1];
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3) → milliseconds from now. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Reads a file as a response. @throws UpstreamRefused, UpstreamTooLarge */
export async function readLocal(
  system: string,
  url: URL,
  maxBytes: number,
  accept: readonly number[] = [],
): Promise<UpstreamResponse> {
  const headers = new Headers();
  try {
    const file = (await openRegularFile(url)).createReadStream();
    return { system, status: 200, headers, body: await collect(system, file, { maxBytes }), url };
  } catch (error) {
    if (error instanceof UpstreamBadResponse) throw error;
    const absent = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (absent && accept.includes(404)) return { system, status: 404, headers, body: Buffer.alloc(0), url };
    throw new UpstreamRefused(
      system,
      absent ? "there is no such file" : "the file cannot be read",
      absent ? 404 : undefined,
      undefined,
      { cause: error },
    );
  }
}
