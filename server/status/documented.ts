/** Documents the health endpoints in OpenAPI. */
import type { DocumentedPage } from "../openapi/documented-page.ts";

const text = (description: string) => ({ type: ["string", "null"], description });

const readiness = {
  type: "object",
  description: "The snapshot in service, its age, and any problems; further fields may follow",
  properties: {
    status: {
      enum: ["ready", "degraded", "files missing", "no data", "ending"],
      description:
        "`degraded`: a newer snapshot was rejected, the last valid one is served; `files missing`: published files were deleted",
    },
    snapshot: text("id of the snapshot in service"),
    generation: { type: ["integer", "null"], description: "its number" },
    ageSeconds: { type: ["integer", "null"], description: "seconds since the last successful refresh" },
    stale: { type: ["boolean", "null"], description: "true if that is more than two hours, or in the future" },
    overdueSince: text("when the refresh was due that did not come, while `stale`"),
    missing: {
      type: "array",
      items: { type: "string" },
      description: "tables of which published files are missing; `current.json`, where a restart would find no data",
    },
    refused: text("why a newer snapshot was rejected"),
    lastRefused: {
      type: ["object", "null"],
      description: "`why` and `at`: the last rejection, even if resolved",
    },
    lastRun: {
      type: ["object", "null"],
      description: "`mode`, `startedAt`, `failed`, and `faults`: the first problem of each product",
    },
    freshness: {
      type: "object",
      additionalProperties: true,
      description: "the last successful refresh of each product and term",
    },
  },
  required: [
    "status",
    "snapshot",
    "generation",
    "ageSeconds",
    "stale",
    "overdueSince",
    "missing",
    "refused",
    "lastRefused",
    "lastRun",
    "freshness",
  ],
};
const ready = {
  status: "ready",
  snapshot: "3f2a9c0b7d1e4a58",
  generation: 12,
  ageSeconds: 1200,
  stale: false,
  overdueSince: null,
  missing: [],
  refused: null,
  lastRefused: null,
  lastRun: { mode: "refresh", startedAt: "2026-11-21T06:59:30.000Z", failed: false, faults: [] },
  freshness: { products: { grades: "2026-11-21T07:00:00.000Z" }, terms: {}, nextRefresh: null },
};
const notReady = {
  ...ready,
  status: "no data",
  snapshot: null,
  generation: null,
  ageSeconds: null,
  stale: null,
  lastRun: null,
};

const livePage = (path: string, operationId: string): DocumentedPage => ({
  path,
  operationId,
  tag: "Service",
  summary: "Whether the process responds",
  responses: {
    200: {
      description: "The process responds",
      headers: ["Content-Length"],
      content: {
        "application/json": {
          schema: { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
          example: { status: "ok" },
        },
      },
    },
  },
});

const readyPage = (path: string, operationId: string): DocumentedPage => ({
  path,
  operationId,
  tag: "Service",
  summary: "Whether data is served, and its age",
  responses: {
    200: {
      description: "Data is served",
      headers: ["Content-Length"],
      content: { "application/json": { schema: readiness, example: ready } },
    },
    503: {
      description: "No data yet, or the server is shutting down",
      headers: ["Content-Length"],
      content: { "application/json": { schema: readiness, example: notReady } },
    },
  },
});

/** The pages; the short paths are aliases. */
export const healthDocumented: readonly DocumentedPage[] = [
  livePage("/health/live", "healthLive"),
  readyPage("/health/ready", "healthReady"),
  livePage("/health", "health"),
  readyPage("/ready", "ready"),
];
