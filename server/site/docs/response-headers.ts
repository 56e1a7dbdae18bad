/** The response headers of the OpenAPI document. */
import { ALLOWED_METHODS, RATE_LIMIT_HEADERS } from "../../response/headers.ts";
import { VALID_REQUEST_ID } from "../../telemetry/observation.ts";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

/** A required one is on every response that lists it. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description: "id of the request, taken from the client if valid; quote it when reporting a problem",
    required: true,
    schema: { type: "string", pattern: VALID_REQUEST_ID.source },
    example: "6f1c8a52-3b0e-4b6e-9a3f-2f6d1f0c7e11",
  },
  "Access-Control-Allow-Origin": {
    description: "pages of every site may send requests",
    required: true,
    schema: { const: "*" },
    example: "*",
  },
  "Access-Control-Expose-Headers": {
    description: "the headers that a script of another site may read",
    required: true,
    schema: { const: "*" },
    example: "*",
  },
  "X-Content-Type-Options": {
    description: "browsers must not guess the type",
    required: true,
    schema: { const: "nosniff" },
    example: "nosniff",
  },
  Vary: {
    description: "request headers that the response depends on",
    required: true,
    schema: text,
    example: "Accept-Encoding",
  },
  "Cache-Control": {
    description: "how long the response may be cached; no-store for errors, live results and explanations",
    required: true,
    schema: text,
    example: "public, max-age=3600",
  },
  "X-Data-Snapshot": {
    description: "id of the published snapshot: equal data has an equal id",
    required: true,
    schema: { type: "string", pattern: "^[0-9a-f]{16}$" },
    example: "3f2a9c0b7d1e4a58",
  },
  ETag: {
    description: "valid as long as the data does: send it as If-None-Match; live results have none",
    schema: { type: "string", pattern: '^(W/)?"[!#-~]+"$' },
    example: '"3f2a9c0b7d1e4a58-7hQx0mW2-br"',
  },
  "Last-Modified": {
    description: "when the data was crawled or built",
    schema: { type: "string", pattern: "GMT$" },
    example: "Sat, 21 Nov 2026 07:00:00 GMT",
  },
  Age: {
    description: "seconds since the term was crawled",
    schema: count,
    example: 120,
  },
  "X-Cache": {
    description:
      "HIT: the published term; MISS: not published, from the upstream; BYPASS: from the upstream, as requested",
    schema: { enum: ["HIT", "MISS", "BYPASS"] },
    example: "HIT",
  },
  Warning: {
    description: "299: names unknown parameters, which are ignored, and an unknown department, with suggestions",
    schema: text,
    example: '299 - "unknown parameter dept ignored. Did you mean department?"',
  },
  "Preference-Applied": {
    description: "for a request with `Prefer: handling=strict`",
    schema: { const: "handling=strict" },
    example: "handling=strict",
  },
  "X-Total-Count": {
    description: "elements of the whole array, with limit or offset",
    schema: count,
    example: 1842,
  },
  Link: {
    description: "URLs of the next and previous page (RFC 8288), if any",
    schema: text,
    example: '</v1/rest/courses?limit=100&offset=100>; rel="next"',
  },
  "Content-Encoding": {
    description: "chosen by Accept-Encoding for bodies over 1 KB",
    schema: { enum: ["br", "zstd", "gzip"] },
    example: "br",
  },
  "Content-Length": {
    description: "bytes of the body; absent for streamed bodies",
    schema: count,
    example: 1024,
  },
  "Content-Disposition": {
    description: "file name, for formats other than JSON",
    schema: text,
    example: 'attachment; filename="grades-raw.csv"',
  },
  "X-Accel-Buffering": {
    description: "for a stream of events: proxies must not collect it",
    schema: { const: "no" },
    example: "no",
  },
  "Accept-Ranges": {
    description: "byte ranges are supported",
    schema: { const: "bytes" },
    example: "bytes",
  },
  "Content-Range": {
    description: "the bytes sent, and the size of the file",
    schema: { type: "string", pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
    example: "bytes 0-3/18230",
  },
  "Repr-Digest": {
    description: "hash of the whole file (RFC 9530)",
    schema: { type: "string", pattern: "^sha-256=:.+:$" },
    example: "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
  },
  "Retry-After": {
    description: "seconds to wait before the next request",
    schema: count,
    example: 30,
  },
  "RateLimit-Limit": {
    description: RATE_LIMIT_HEADERS["RateLimit-Limit"],
    schema: count,
    example: 20,
  },
  "RateLimit-Remaining": {
    description: RATE_LIMIT_HEADERS["RateLimit-Remaining"],
    schema: count,
    example: 0,
  },
  "RateLimit-Reset": {
    description: RATE_LIMIT_HEADERS["RateLimit-Reset"],
    schema: count,
    example: 1,
  },
  Allow: {
    description: "the supported methods",
    schema: text,
    example: ALLOWED_METHODS,
  },
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** On every response, errors included; RateLimit-* if the operator sets a limit. */
const COMMON: readonly ResponseHeader[] = [
  "X-Request-Id",
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "X-Content-Type-Options",
  "Vary",
  "Cache-Control",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
];

const referTo = (names: readonly ResponseHeader[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const headersOf = (...more: readonly ResponseHeader[]): Record<string, object> => referTo([...COMMON, ...more]);

/** A 304 of an endpoint: see `notModifiedHeaders`. */
export const HEADERS_OF_NOT_MODIFIED = referTo([
  ...COMMON.filter((name) => name !== "X-Content-Type-Options"),
  "Preference-Applied",
  "ETag",
]);
