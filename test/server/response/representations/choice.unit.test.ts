/** The Accept header, as everything reads it. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../../../server/response/endpoint.ts";
import { representationFor } from "../../../../server/response/negotiation.ts";
import { formatsOf, REPRESENTATIONS } from "../../../../server/response/representations/all.ts";
import { acceptedOf } from "../../../../server/response/negotiation.ts";

const CHANGES = { content: "changes" } as const;
const wantedBy = (accept: string, endpoint: Pick<Endpoint, "content">) =>
  representationFor(endpoint, {}, accept, REPRESENTATIONS).name;

describe("the Accept header", () => {
  it.each([
    // Nothing in particular, and what browsers and clients send by themselves.
    ["", "json"],
    ["*/*", "json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", "json"],
    ["application/json, text/plain, */*", "json"],
    ["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "json"],
    // Nothing that there is.
    ["text/html", "json"],
    ["application/pdf, image/*", "json"],
    ["text/csv;q=0", "json"],
    // By name.
    ["text/csv", "csv"],
    ["TEXT/CSV; header=present", "csv"],
    ['text/csv; charset="UTF-8"', "csv"],
    ["text/csv; charset=utf8", "csv"],
    ["text/csv; header=absent", "json"],
    ["application/atom+xml;type=feed, application/json;q=0.9", "atom"],
    ["application/ndjson", "ndjson"],
    ["application/jsonl", "ndjson"],
    // By weight.
    ["text/csv, application/json;q=0.9", "csv"],
    ["text/csv;q=0.5, application/json;Q=0.9", "json"],
    ["text/csv;q=0.5, application/x-ndjson;q=0.8, application/json;q=0.1", "ndjson"],
    // Equally welcome: the one that is named, then JSON.
    ["text/csv, */*", "csv"],
    ["text/csv, application/json", "json"],
    ["application/json, text/event-stream", "json"],
    ["text/csv;q=0.2, */*;q=0.9", "json"],
    // Wildcards of a type.
    ["text/*", "csv"],
    ["application/*", "json"],
    ["application/*, application/json;q=0, application/x-ndjson;q=0", "parquet"],
    // A stream by its name only.
    ["text/event-stream", "events"],
    ["text/event-stream;charset=utf-8, */*;q=0.1", "events"],
    ["application/json;q=0.3, text/event-stream;q=0.4", "events"],
    ["application/json, text/event-stream;q=0", "json"],
    ["application/json, text/event-stream;q=0.9", "json"],
    ["text/*, text/csv;q=0", "json"],
    ['application/json;a="text/event-stream,", text/plain', "json"],
    // What is not readable counts nothing.
    ["text/csv;q=often", "json"],
    ["text/csv;q=", "json"],
    ["text/csv;q=-1", "json"],
    [",,;q=1", "json"],
  ])("%j gives %s", (accept, wanted) => {
    expect(wantedBy(accept, CHANGES)).toBe(wanted);
  });

  it("asks nobody for what an endpoint does not have", () => {
    expect(wantedBy("text/event-stream, application/atom+xml, text/calendar", {})).toBe("json");
  });

  it("leaves those that are not refused", () => {
    const types = ["application/json", "text/event-stream"];
    expect(acceptedOf("application/json, text/event-stream;q=0", types)).toEqual(["application/json"]);
    expect(acceptedOf("*/*", types)).toEqual(types);
    expect(acceptedOf(null, types)).toEqual(types);
    expect(acceptedOf("text/html", types)).toEqual([]);
  });
});

const NAMES = {
  "application/json": "json",
  "text/csv": "csv",
  "application/x-ndjson": "ndjson",
  "application/vnd.apache.parquet": "parquet",
  "application/atom+xml": "atom",
  "text/calendar": "ics",
  "text/event-stream": "events",
} as const;
const ORDER = Object.entries(NAMES);

/** As RFC 9110 says it: each type has the weight of the most exact range. */
function plainly(ranges: readonly { readonly name: string; readonly q: number }[], known: readonly string[]): string {
  const weights = ORDER.filter(([, wanted]) => known.includes(wanted)).map(([type, wanted]) => {
    const weightOf = (name: string) =>
      ranges
        .filter((range) => range.name === name)
        .reduce<number | undefined>((most, { q }) => Math.max(most ?? 0, q), undefined);
    const named = weightOf(type);
    const wild = wanted === "events" ? undefined : (weightOf(type.replace(/\/.*/, "/*")) ?? weightOf("*/*"));
    return { wanted, weight: named ?? wild ?? 0, isNamed: named !== undefined };
  });
  const most = Math.max(...weights.map(({ weight }) => weight));
  const best = weights.filter(({ weight }) => weight === most && most > 0);
  return (best.find(({ isNamed }) => isNamed) ?? best[0])?.wanted ?? "json";
}

it("is read in one way, whatever is in it and whatever an endpoint has", () => {
  const range = fc.record({
    name: fc.constantFrom(...Object.keys(NAMES), "text/*", "application/*", "*/*", "text/html", "image/*"),
    q: fc.constantFrom(0, 0.1, 0.5, 0.999, 1),
    spelling: fc.constantFrom(
      (name: string, q: number) => `${name};q=${q}`,
      (name: string, q: number) => `  ${name.toUpperCase()} ; Q=${q} ; ext="a,b;q=1"`,
      (name: string, q: number) => (q === 1 ? name : `${name};charset=utf-8;q=${q}`),
    ),
  });
  fc.assert(
    fc.property(
      fc.constantFrom<Pick<Endpoint, "content">>({}, { content: "changes" }, { content: "sections" }),
      fc.uniqueArray(range, { maxLength: 6, selector: ({ name }) => name }),
      (endpoint, ranges) => {
        const header = ranges.map(({ name, q, spelling }) => spelling(name, q)).join(",");
        const known = [...formatsOf(endpoint), ...(endpoint.content === "changes" ? ["events"] : [])];
        expect(wantedBy(header, endpoint)).toBe(ranges.length === 0 ? "json" : plainly(ranges, known));
      },
    ),
    { numRuns: 3000 },
  );
});
