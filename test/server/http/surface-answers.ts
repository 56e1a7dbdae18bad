/** What stands on every answer of the server, and on every error. */
import { expect } from "vitest";
import type { Answer } from "./wire.ts";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What stands on every answer, whatever its status. */
export function expectCommonHeaders({ headers }: Answer): void {
  expect(headers["x-request-id"]).toMatch(UUID);
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["vary"]).toMatch(/^Accept-Encoding(, Accept(, Prefer)?)?$/);
  expect(headers["access-control-expose-headers"]).toBe("*");
}

/** Returns the message. */
export function expectProblem(answer: Answer, status: number, error: string): string {
  expectCommonHeaders(answer);
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["etag"]).toBeUndefined();
  const body = answer.json<{ message: string; requestId: string; timestamp: string }>();
  expect(body).toEqual({
    statusCode: status,
    error,
    message: body.message,
    requestId: answer.headers["x-request-id"],
    timestamp: body.timestamp,
  });
  expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
  return body.message;
}
