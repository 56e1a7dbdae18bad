/** Health, as the OpenAPI document describes it. */
import type { DocumentedPage } from "../docs/documented-page.ts";

const text = (description: string) => ({ type: ["string", "null"], description });

const readiness = {
  type: "object",
  description: "What is served, how old it is, and what is not as it should be; further fields may say more",
  properties: {
    status: {
      enum: ["ready", "degraded", "no data", "ending"],
      description: "`degraded`: a newer snapshot was refused, the last good one is served",
    },
    snapshot: text("id of the snapshot in service"),
    generation: { type: ["integer", "null"], description: "its number" },
    ageSeconds: { type: ["integer", "null"], description: "since the last successful look at the upstream" },
    stale: { type: ["boolean", "null"], description: "that is more than two hours ago" },
    refused: text("why a newer snapshot is not served"),
    lastRefused: { type: ["object", "null"], description: "`why` and `at`: the last refusal, also when it is over" },
    lastRun: {
      type: ["object", "null"],
      description: "`mode`, `startedAt`, `failed`, and `faults`: of each product that was not whole, the first reason",
    },
    freshness: { type: "object", description: "when each product and term was looked at last" },
  },
  required: [
    "status",
    "snapshot",
    "generation",
    "ageSeconds",
    "stale",
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
});

const readyPage = (path: string, operationId: string): DocumentedPage => ({
  path,
  operationId,
  tag: "Service",
  summary: "Whether data is served, and how old it is",
  answers: {
    200: {
      description: "Data is served",
      headers: ["Content-Length"],
      content: { "application/json": { schema: readiness, example: ready } },
    },
    503: {
      description: "There is no data yet, or the server is ending",
      headers: ["Content-Length"],
      content: { "application/json": { schema: readiness, example: notReady } },
    },
  },
});

/** The short names say the same. */
export const healthDocumented: readonly DocumentedPage[] = [
  livePage("/health/live", "healthLive"),
  readyPage("/health/ready", "healthReady"),
  livePage("/health", "health"),
  readyPage("/ready", "ready"),
];
