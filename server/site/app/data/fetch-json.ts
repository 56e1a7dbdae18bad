/** Requests to this server; errors become sentences for people. */
import { noteResponse } from "./offline.ts";
import { keepLink } from "./response-links.ts";

export type { ResponseBody } from "./response-body.ts";

/** Its message can be shown. */
export class ResponseError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const OFFLINE = "You are offline, and this page is not saved. Reconnect and try again.";
const UNREACHABLE = "Cannot reach the server. Try again in a moment.";

/**
 * @throws Error whose message can be shown; a ResponseError if the server responded; an aborted request throws what
 * `fetch` throws
 */
async function request(address: string, signal?: AbortSignal): Promise<{ body: any; headers: Headers }> {
  let response: Response;
  try {
    // Revalidate cached responses; otherwise parts of a view could be of different snapshots.
    const options: RequestInit = { headers: { accept: "application/json" }, signal: signal ?? null, cache: "no-cache" };
    response = await fetch(address, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    const isOffline = globalThis.navigator.onLine === false;
    throw new Error(isOffline ? OFFLINE : UNREACHABLE, { cause: error });
  }
  const { headers } = response;
  noteResponse(headers);
  const body = await response.json().catch(() => undefined);
  if (!response.ok)
    throw new ResponseError(body?.message ?? `The server responded with status ${response.status}.`, response.status);
  // For clients of the predecessor every response has an envelope.
  const isEnvelope = body !== null && typeof body === "object" && "payload" in body && "requestId" in body;
  const payload = isEnvelope ? body.payload : body;
  keepLink(payload, headers.get("link"));
  return { body: payload, headers };
}

/** @throws Error as `request` does */
export const fetchJson = async <T>(address: string, signal?: AbortSignal): Promise<T> =>
  (await request(address, signal)).body;

/** Loads a part of a list with `limit`, and the length of the whole list. @throws Error as `request` does */
export async function fetchPart<T>(address: string): Promise<{ items: readonly T[]; total: number }> {
  const { body, headers } = await request(address);
  return { items: body, total: Number(headers.get("x-total-count")) };
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Requests of one view at the same time, by address: parts of a view that show the same data share it. */
const running = new Map<string, Promise<unknown>>();

/** Requests that were sent before the view that shows them was there. */
const early = new Map<string, Promise<unknown>>();

/** Asks for what a view will show while its script is loaded. */
export function fetchEarly(address: string): void {
  const request = fetchJson(address);
  // The caller that takes the request handles its failure.
  request.catch(() => undefined);
  early.set(address, request);
}

/** Like fetchJson, but concurrent calls share one request. */
export function fetchShared<T>(address: string): Promise<T> {
  const sent = early.get(address);
  early.delete(address);
  if (sent) return sent as Promise<T>;
  const request = running.get(address) ?? fetchJson(address).finally(() => running.delete(address));
  running.set(address, request);
  return request as Promise<T>;
}
