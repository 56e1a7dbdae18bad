/** The judge of answers itself: it lets a true answer pass, and stops at everything that the document does not say. */
import { describe, expect, it } from "vitest";
import { toDocument } from "../../../server/docs/pages.ts";
import { plain } from "../../../server/modes.ts";
import { CACHE_STATUS, commonHeaders } from "../../../server/response/headers.ts";
import { type OpenApiDocument, openJudge, type SeenAnswer } from "../../support/documented.ts";

const document = toDocument(plain) as unknown as OpenApiDocument;
const { judge } = openJudge(document);

const week = { weeks: [3], quarters: ["Fall Quarter 2026"], display: "Week 3 • Fall Quarter 2026" };
const headers = {
  ...commonHeaders("6f1c8a52-3b0e-4b6e-9a3f-2f6d1f0c7e11"),
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "public, max-age=60",
  "X-Data-Snapshot": "0123456789abcdef",
  ETag: '"a-b-c"',
};
type Change = Partial<Omit<SeenAnswer, "headers">> & { headers?: Record<string, string>; body?: unknown };
const seen = (change: Change = {}): SeenAnswer => ({
  method: "GET",
  path: "/v1/rest/week",
  status: 200,
  text: JSON.stringify(change.body ?? week),
  ...change,
  headers: Object.entries({ ...headers, ...change.headers }),
});
const without = (name: string): SeenAnswer => ({
  ...seen(),
  headers: Object.entries(headers).filter(([one]) => one !== name),
});

describe("an answer", () => {
  it("that is true passes, with and without a slash at the end", () => {
    judge(seen());
    judge(seen({ path: "/v1/rest/week/" }));
    judge(seen({ method: "HEAD", text: "" }));
  });

  it.each([
    ["a field more", seen({ body: { ...week, term: "Fall" } }), /additional properties/],
    ["a field less", seen({ body: { weeks: [3], quarters: [] } }), /required property 'display'/],
    ["another type", seen({ body: { ...week, weeks: ["3"] } }), /must be integer/],
    ["another media type", seen({ headers: { "Content-Type": "text/plain" } }), /text\/plain/],
    ["an unknown header", seen({ headers: { "X-Other": "1" } }), /x-other/],
    ["no request id", without("X-Request-Id"), /lacks the header x-request-id/],
    ["a request id that is none", seen({ headers: { "X-Request-Id": "a b" } }), /must match pattern/],
    [
      "a place that is none",
      seen({ path: "/v1/rest/schedule", headers: { "Cache-Status": "HIT" }, text: "" }),
      /cache-status/,
    ],
    ["an age of our own", seen({ path: "/v1/rest/schedule", headers: { Age: "0" }, text: "" }), /age/],
    ["a header of another endpoint", seen({ headers: { "Cache-Status": CACHE_STATUS.hit } }), /cache-status/],
    ["a status that is not named", seen({ status: 418 }), /418/],
    ["a path that is not named", seen({ path: "/v1/rest/weeks" }), /no path/],
    ["an answer in the place of an error", seen({ status: 404, path: "/v1/rest/weeks" }), /x-data-snapshot/],
  ])("with %s does not", (_what, answer, message) => {
    expect(() => judge(answer)).toThrow(message);
  });
});
