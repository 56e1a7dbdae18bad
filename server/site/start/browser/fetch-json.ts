/** Requests to this server; errors become sentences for people. */
import type { z } from "zod";
import type { SHAPES, ShapeName } from "../../../response/shapes/shapes.ts";

export type ResponseBody<Name extends ShapeName> = z.infer<(typeof SHAPES)[Name]>;

const BASE = "/v1/rest";

/** Empty values are left out. */
export function addressOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) text.append(name, value);
  return `${BASE}${path}${text.size === 0 ? "" : `?${text}`}`;
}

/** @throws Error whose message can be shown; an aborted request throws what `fetch` throws */
export async function fetchJson<T>(address: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    // A cached response is used after the server has confirmed it: otherwise parts of a view would be of different snapshots.
    const options: RequestInit = { headers: { accept: "application/json" }, signal: signal ?? null, cache: "no-cache" };
    response = await fetch(address, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("Cannot reach the server. Is it running, and is this device online?", { cause: error });
  }
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw new Error(body?.message ?? `The server responded with status ${response.status}.`);
  // With COMPAT=1 every response has an envelope.
  return body !== null && typeof body === "object" && "payload" in body && "requestId" in body ? body.payload : body;
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
