/** Documents the health endpoints in OpenAPI. */
import { type DocumentedPage, servicePage } from "../openapi/documented-page.ts";
import type { Schema } from "../openapi/schemas.ts";

const text = (description: string) => ({ type: ["string", "null"], description });

const properties = {
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
};
const readiness = {
  type: "object",
  description: "The snapshot in service, its age, and any problems; further fields may follow",
  properties,
  required: Object.keys(properties),
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

const json = (description: string, schema: object, example: object) => ({
  description,
  headers: ["Content-Length"] as const,
  content: { "application/json": { schema: schema as Schema, example } },
});

const LIVE = "Whether the process responds";
const liveResponses = {
  200: json(
    "The process responds",
    { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
    { status: "ok" },
  ),
};
const READY = "Whether data is served, and its age";
const readyResponses = {
  200: json("Data is served", readiness, ready),
  503: json("No data yet, or the server is shutting down", readiness, notReady),
};

/** The pages; the short paths are aliases. */
export const healthDocumented: readonly DocumentedPage[] = [
  servicePage("/health/live", "healthLive", LIVE, liveResponses),
  servicePage("/health/ready", "healthReady", READY, readyResponses),
  servicePage("/health", "health", LIVE, liveResponses),
  servicePage("/ready", "ready", READY, readyResponses),
];
