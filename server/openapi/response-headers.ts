/** The response headers of the OpenAPI document. */
import { ALLOWED_METHODS, CACHE_STATUS, RATE_LIMIT_HEADERS } from "../response/headers.ts";
import { VALID_REQUEST_ID } from "../telemetry/observation.ts";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

const header = (description: string, schema: object, example: unknown) => ({ description, schema, example });
/** Declares a header that is present on every response which lists it. */
const required = (description: string, schema: object, example: unknown) => ({
  description,
  required: true,
  schema,
  example,
});

export const RESPONSE_HEADERS = {
  "X-Request-Id": required(
    "id of the request, taken from the client if valid; quote it when reporting a problem",
    { type: "string", pattern: VALID_REQUEST_ID.source },
    "6f1c8a52-3b0e-4b6e-9a3f-2f6d1f0c7e11",
  ),
  "Access-Control-Allow-Origin": required("pages of every site may send requests", { ...text, const: "*" }, "*"),
  "Access-Control-Expose-Headers": required(
    "the headers that a script of another site may read",
    { ...text, const: "*" },
    "*",
  ),
  "X-Content-Type-Options": required("browsers must not guess the type", { ...text, const: "nosniff" }, "nosniff"),
  Vary: required("request headers that the response depends on", text, "Accept-Encoding"),
  "Cache-Control": required(
    "how long the response may be cached; no-store for errors, live results and explanations",
    text,
    "public, max-age=3600",
  ),
  "X-Data-Snapshot": required(
    "id of the published snapshot: equal data has an equal id",
    { type: "string", pattern: "^[0-9a-f]{16}$" },
    "3f2a9c0b7d1e4a58",
  ),
  ETag: header(
    "valid as long as the data does: send it as If-None-Match; live results have none",
    { type: "string", pattern: '^(W/)?"[!#-~]+"$' },
    '"3f2a9c0b7d1e4a58-7hQx0mW2-br"',
  ),
  "Last-Modified": header(
    "when the data was crawled or built: send it as If-Modified-Since, where there is no ETag to send",
    { type: "string", pattern: "GMT$" },
    "Sat, 21 Nov 2026 07:00:00 GMT",
  ),
  "Cache-Status": header(
    "where the schedule came from (RFC 9211): `hit`: the published term; `fwd=uri-miss`: not published, from the upstream; `fwd=bypass`: from the upstream, as requested. Caches on the way append theirs",
    { ...text, pattern: `^(${Object.values(CACHE_STATUS).join("|")})(,|$)` },
    CACHE_STATUS.hit,
  ),
  Warning: header(
    "299: names unknown parameters, which are ignored, and an unknown department or instructor, with suggestions",
    text,
    '299 - "unknown parameter dept ignored: the response is not filtered by it. Did you mean department?"',
  ),
  "Preference-Applied": header(
    "for a request with `Prefer: handling=strict`",
    { ...text, const: "handling=strict" },
    "handling=strict",
  ),
  "X-Total-Count": header("elements of the whole response, with limit or offset", count, 1842),
  Link: header(
    "URLs of the next and previous page (RFC 8288), if any; of a course that had other names, of its grades and enrollment history under them",
    text,
    '</v1/rest/courses?limit=100&offset=100>; rel="next"',
  ),
  "Content-Location": header(
    "for a former name of a course: the address of the course under its name of today",
    text,
    "/v1/rest/courses/COMPSCI161",
  ),
  "Content-Encoding": header(
    "chosen by Accept-Encoding for bodies over 1 KB; identity for a stream of events, which a proxy would hold back to compress it",
    { ...text, enum: ["br", "zstd", "gzip", "identity"] },
    "br",
  ),
  "Content-Length": header("bytes of the body; absent where they are not known before it is sent", count, 1024),
  "Content-Disposition": header(
    "file name, for formats other than JSON",
    text,
    'attachment; filename="grades-raw.csv"',
  ),
  "X-Accel-Buffering": header("for a stream of events: proxies must not collect it", { ...text, const: "no" }, "no"),
  "Accept-Ranges": header("byte ranges are supported", { ...text, const: "bytes" }, "bytes"),
  "Content-Range": header(
    "the bytes sent, or `*` for none of them, and the size of the file",
    { type: "string", pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
    "bytes 0-3/18230",
  ),
  "Repr-Digest": header(
    "hash of the whole file (RFC 9530)",
    { type: "string", pattern: "^sha-256=:.+:$" },
    "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
  ),
  "Retry-After": header("seconds to wait before the next request", count, 30),
  "RateLimit-Limit": header(RATE_LIMIT_HEADERS["RateLimit-Limit"], count, 20),
  "RateLimit-Remaining": header(RATE_LIMIT_HEADERS["RateLimit-Remaining"], count, 0),
  "RateLimit-Reset": header(RATE_LIMIT_HEADERS["RateLimit-Reset"], count, 1),
  "RateLimit-Policy": header(
    RATE_LIMIT_HEADERS["RateLimit-Policy"],
    { type: "string", pattern: '^"default";q=\\d+;w=\\d+$' },
    '"default";q=20;w=1',
  ),
  RateLimit: header(
    RATE_LIMIT_HEADERS.RateLimit,
    { type: "string", pattern: '^"default";r=\\d+;t=\\d+$' },
    '"default";r=0;t=1',
  ),
  Allow: header("the supported methods", text, ALLOWED_METHODS),
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The headers of every response, including errors; RateLimit-* if the operator sets a limit. */
const COMMON: readonly ResponseHeader[] = [
  "X-Request-Id",
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "X-Content-Type-Options",
  "Vary",
  "Cache-Control",
  ...(Object.keys(RATE_LIMIT_HEADERS) as (keyof typeof RATE_LIMIT_HEADERS)[]),
];

const referTo = (names: readonly ResponseHeader[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const headersOf = (...more: readonly ResponseHeader[]): Record<string, object> => referTo([...COMMON, ...more]);

/** The description of a 206. */
export const A_PART = "The bytes that `Range` asks for";

/** Returns the headers of an endpoint's 304: see `notModifiedHeaders`. */
export const headersOfNotModified = (...more: readonly ResponseHeader[]): Record<string, object> =>
  referTo([...COMMON.filter((name) => name !== "X-Content-Type-Options"), "Preference-Applied", "ETag", ...more]);
