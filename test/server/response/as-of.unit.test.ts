/** `asOf` and the moments of changes: what a text may be, which snapshot it means, and how long its response is kept. */
import { describe, expect, it } from "vitest";
import type { RetainedSnapshot } from "../../../pipeline/contract/as-of.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import type { Endpoint } from "../../../server/response/endpoint.ts";
import type { Snapshot } from "../../../server/snapshot/snapshot.ts";
import { findRetained, momentParam, notRetained, SNAPSHOTS_PATH } from "../../../server/response/as-of.ts";
import { CACHE_STATUS, freshHeaders, toFresh } from "../../../server/response/headers.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const older: RetainedSnapshot = {
  ...{ id: "a".repeat(16), generation: 1 },
  ...{ servedFrom: "2026-11-01T00:00:00Z", servedUntil: "2026-11-02T00:00:00Z" },
};
const newer: RetainedSnapshot = {
  ...{ id: "b".repeat(16), generation: 2 },
  ...{ servedFrom: "2026-11-10T00:00:00Z", servedUntil: null },
};

describe("a moment", () => {
  it("is a snapshot id, a date or a time with its zone, as its examples are", () => {
    const param = momentParam("changes after it");
    expect(param.about).toBe("changes after it");
    const examples = param.schema.examples ?? [];
    expect(examples).toHaveLength(3);
    for (const example of examples) expect(param.read([String(example)])).toBe(example);
    for (const wrong of ["yesterday", "2026-11-18T17:30", "2026-13-01", "abc"])
      expect(() => param.read([wrong])).toThrow("a snapshot id, an ISO 8601 date, or an ISO 8601 time with its zone");
  });
});

describe("the snapshot that a text means", () => {
  it("is one of the retained ones", () => {
    expect(findRetained("2026-11-01T12:00:00Z", [newer, older], NOW)).toBe(older);
    expect(findRetained("B".repeat(16), [newer, older], NOW)).toBe(newer);
  });
  it("that is not retained is a 404 that names those beside it", () => {
    const sentence = (text: string) => {
      try {
        return findRetained(text, [newer, older], NOW);
      } catch (error) {
        return error;
      }
    };
    expect(sentence("2026-11-05")).toMatchObject({
      status: 404,
      message: `No retained snapshot is that of "2026-11-05". The nearest: ${older.id} (served from ${older.servedFrom} until ${older.servedUntil}) and ${newer.id} (served from ${newer.servedFrom}). ${SNAPSHOTS_PATH} lists all of them.`,
    });
    // No moment at all has no neighbours.
    expect(sentence("yesterday")).toMatchObject({ status: 404, message: notRetained("yesterday", []).message });
  });
});

it("the response of a snapshot id never changes; that of a date is asked for again", () => {
  const createdAt = "2026-11-01T00:00:00.000Z";
  const snapshot = { published: { manifest: { createdAt } } } as Snapshot;
  const freshness = { products: {}, terms: {}, nextRefresh: "2026-11-20T12:10:00Z" };
  const period = { name: "today", until: new Date(NOW.getTime() + 1000) };
  const headersOf = (asOf: "id" | "time" | undefined, endpoint: Endpoint) =>
    freshHeaders(toFresh(endpoint, {}, { now: NOW, freshness, snapshot }, period, asOf), NOW);
  const week = endpoints.find(({ path }) => path === "/week") as Endpoint;
  const schedule = endpoints.find(({ path }) => path === "/schedule") as Endpoint;
  const lastModified = { "Last-Modified": new Date(createdAt).toUTCString() };
  expect(headersOf("id", week)).toEqual({ ...lastModified, "Cache-Control": "public, max-age=31536000, immutable" });
  // What an endpoint says of the present does not count.
  expect(headersOf("time", schedule)).toEqual({
    ...{ ...lastModified, "Cache-Status": CACHE_STATUS.hit },
    "Cache-Control": "public, max-age=600",
  });
  expect(headersOf(undefined, week)).toEqual({ ...lastModified, "Cache-Control": "public, max-age=1" });
});
