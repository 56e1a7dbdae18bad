/** One request and its complete response, by HTTP or from a file. */
import { readFile } from "node:fs/promises";
import { UpstreamBadResponse, UpstreamRefused } from "../../errors.ts";

export const USER_AGENT = "academic-data-rest-service/1.0 (read-only crawler)";

export interface UpstreamRequest {
  url: URL;
  /** Sent as a form by POST; without it the request is a GET. */
  form?: URLSearchParams;
  headers?: Record<string, string>;
  /** Off by default: the schedule system redirects to signal its rate limit. */
  follow?: boolean;
  /** Statuses besides 200 that are no failures, such as 304 or 404. */
  accept?: readonly number[];
  /** Aborts the attempt and all retries. */
  signal?: AbortSignal;
}

/** A complete response: the body has the length that Content-Length announced. */
export interface UpstreamResponse {
  status: number;
  headers: Headers;
  body: Buffer;
  url: URL;
}

/** One attempt. @throws UpstreamRefused, UpstreamBadResponse, and what fetch throws */
export async function exchange(
  system: string,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const { url, form, headers = {}, follow = false, accept = [] } = request;
  const response = await fetch(url, {
    method: form ? "POST" : "GET",
    ...(form ? { body: form } : {}),
    headers: { "User-Agent": USER_AGENT, ...headers },
    redirect: follow ? "follow" : "manual",
    signal,
  });
  if (response.status !== 200 && !accept.includes(response.status)) {
    await response.body?.cancel();
    const redirected = response.status >= 300 && response.status < 400;
    const reason = redirected ? "a redirect, which signals the rate limit" : `status ${response.status}`;
    throw new UpstreamRefused(system, reason, response.status, readRetryAfter(response.headers.get("retry-after")));
  }
  let body: Buffer;
  try {
    body = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UpstreamBadResponse(system, "the body was cut off", { cause: error });
  }
  const announced = response.headers.get("content-length");
  if (
    announced !== null &&
    !response.headers.has("content-encoding") &&
    response.status === 200 &&
    Number(announced) !== body.length
  ) {
    throw new UpstreamBadResponse(system, `the body has ${body.length} bytes instead of ${announced}`);
  }
  return { status: response.status, headers: response.headers, body, url: new URL(response.url || url) };
}

/** The charset parameter of the Content-Type. */
export function charsetOf(response: Pick<UpstreamResponse, "headers">): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(response.headers.get("content-type") ?? "")?.[1];
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3) → milliseconds from now. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** A file instead of a response. @throws UpstreamRefused */
export async function readLocal(system: string, url: URL, accept: readonly number[] = []): Promise<UpstreamResponse> {
  try {
    return { status: 200, headers: new Headers(), body: await readFile(url), url };
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (absent && accept.includes(404)) return { status: 404, headers: new Headers(), body: Buffer.alloc(0), url };
    throw new UpstreamRefused(
      system,
      absent ? "there is no such file" : "the file cannot be read",
      absent ? 404 : undefined,
      undefined,
      { cause: error },
    );
  }
}
