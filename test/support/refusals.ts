/** Refusals of a request before anything is read: without a server, and without data. */
import { H3Event } from "h3";
import { expect } from "vitest";
import { endpoints } from "../../server/endpoints/all.ts";
import { BASE } from "../../server/response/endpoint.ts";
import { Problem, problemParts } from "../../server/response/problem.ts";
import { readRequest } from "../../server/response/query.ts";

/**
 * The message of the 400, whose body is small and reveals nothing of the inside; undefined = the request is accepted.
 */
export function refusalOf(path: string, query: string, headers: Readonly<Record<string, string>> = {}) {
  const endpoint = endpoints.find((endpoint) => endpoint.path === path);
  if (!endpoint) throw new Error(`there is no endpoint ${path}`);
  const request = new Request(`http://localhost${BASE}${path.replace(":id", "x")}?${query}`, { headers });
  try {
    readRequest(endpoint, new H3Event(request));
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { body } = problemParts(error, "0", (fields) => fields);
    const { statusCode, message } = JSON.parse(body) as { statusCode: number; message: string };
    expect([statusCode, Buffer.byteLength(body) <= 4096]).toEqual([400, true]);
    // "Never SQL, a stack, a path or a dependency's text."
    expect(message).not.toMatch(/\bselect\b|\bat .*:\d+|node_modules|\.ts\b|duckdb|zod|\/tmp/i);
    return message;
  }
}
