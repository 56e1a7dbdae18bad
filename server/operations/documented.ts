/** Health, as the OpenAPI document describes it. */
import type { DocumentedPage } from "../documentation/documented-page.ts";

const text = (description: string) => ({ type: ["string", "null"], description });

const readiness = {
  type: "object",
  description: "What is served; further fields say how fresh it is",
  properties: {
    status: { type: "string", description: "`ready`, `degraded` (a newer snapshot was refused), or why not" },
    snapshot: text("id of the snapshot in service"),
    generation: { type: ["integer", "null"], description: "its number" },
    refused: text("why a newer snapshot is not served"),
    freshness: { type: "object", description: "when each product and term was looked at last" },
  },
  required: ["status", "snapshot", "generation", "refused", "freshness"],
};
const ready = {
  status: "ready",
  snapshot: "3f2a9c0b7d1e4a58",
  generation: 12,
  refused: null,
  freshness: { products: { grades: "2026-11-21T07:00:00.000Z" }, terms: {}, nextRefresh: null },
};
const notReady = { ...ready, status: "no data", snapshot: null, generation: null };

export const healthDocumented: readonly DocumentedPage[] = [
  {
    path: "/health",
    operationId: "health",
    tag: "Service",
    summary: "Whether the process answers at all",
    answers: {
      200: {
        description: "It does",
        headers: ["Content-Length"],
        content: {
          "application/json": {
            schema: { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
            example: { status: "ok" },
          },
        },
      },
    },
  },
  {
    path: "/ready",
    operationId: "ready",
    tag: "Service",
    summary: "Whether data is served, and how fresh it is",
    answers: {
      200: {
        description: "Data is served",
        headers: ["Content-Length"],
        content: { "application/json": { schema: readiness, example: ready } },
      },
      503: {
        description: "Not now",
        headers: ["Content-Length"],
        content: { "application/json": { schema: readiness, example: notReady } },
      },
    },
  },
];
