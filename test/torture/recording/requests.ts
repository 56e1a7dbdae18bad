/**
 * The requests of a recording: from the endpoints, their parameters and the tools, with values of the world of
 * test/server/response/explain.
 */
import * as fc from "fast-check";
import { endpoints } from "../../../server/endpoints/all.ts";
import { TOOLS } from "../../../server/mcp/tools.ts";
import type { Endpoint } from "../../../server/response/endpoint.ts";
import { formatsOf, REPRESENTATIONS } from "../../../server/response/representations/all.ts";
import { eachAlone, requestTo } from "../../server/response/explain/explain-world.ts";
import { HEADERS, toMessage } from "../../server/mcp/assistant.ts";

type Headers = Readonly<Record<string, string>>;
export type Request = Readonly<{ method?: string; path: string; headers?: Headers; body?: string }>;

const BASE = "/v1/rest";
const RANDOM = 8;
/** The number of random requests that are sent in every way. */
const IN_EVERY_WAY = 2;

/** Beside what is asked. */
const MORE = [
  "limit=1 limit=3 limit=0 limit=10001 offset=1 offset=100000 offset=-1 explain=true dept=DANCE xyzzy=1 cache=false",
  "fields=title fields=year,id fields=nope fields=courses.sections fields=department,departments",
  "asOf=2026-10-05 asOf=2026-10-05T06:30:00Z asOf=1999-01-01 asOf=yesterday asOf=0123456789abcdef",
].flatMap((line) => line.split(" "));
const TYPES = ["*/*", "text/*;q=0.5, application/json;q=0.1", "image/png", "application/jsonl", "text/event-stream"];
const HEADERS_SENT: readonly Headers[] = [
  ...[
    ...REPRESENTATIONS.filter(({ isFormat }) => isFormat).flatMap(({ types }) => types.slice(0, 1)),
    ...TYPES,
    "text/html,*/*;q=0.8",
  ].map((Accept) => ({ Accept })),
  ...["br", "gzip", "zstd", "identity;q=0, *", "gzip;q=0"].map((value) => ({ "Accept-Encoding": value })),
  ...["*", '"other"'].map((value) => ({ "If-None-Match": value })),
  ...["2037", "2019"].map((year) => ({ "If-Modified-Since": `Mon, 05 Oct ${year} 07:00:00 GMT` })),
  { Prefer: "handling=strict" },
];
/** Values for every parameter: nothing, nonsense, several values, characters with a special meaning elsewhere. */
const HOSTILE = ["", "~nonsense~", "a,b", "\u0000", "'; DROP TABLE grades; --", "ALL"];

function inEveryWay(endpoint: Endpoint, path: string): Request[] {
  const inFormats = ["", "&limit=2&offset=1", "&asOf=2026-10-05"].flatMap((more) =>
    formatsOf(endpoint).map((format) => `${path}&format=${format}${more}`),
  );
  return [
    ...["HEAD", "OPTIONS", "POST"].map((method) => ({ method, path })),
    ...[...inFormats, ...MORE.map((more) => `${path}&${more}`)].map((address) => ({ path: address })),
    ...HEADERS_SENT.map((headers) => ({ path, headers })),
  ];
}

function ofEndpoint(endpoint: Endpoint, seed: number): Request[] {
  const random = fc.sample(requestTo(endpoint.path), { numRuns: RANDOM, seed }).map(({ address }) => BASE + address);
  const values = Object.entries(endpoint.params).flatMap(([name, { schema }]) =>
    [...(schema.enum ?? []), ...(schema.examples ?? []), ...HOSTILE].map(
      (value) => `${random[0]}&${name}=${encodeURIComponent(value)}`,
    ),
  );
  const ids = ["x", "%2e%2e", "%zz", "a/b"].map((id) => `${BASE}${endpoint.path.replace(":id", "")}/${id}`);
  return [
    ...[...random, ...values, ...ids].map((path) => ({ path })),
    ...random.slice(0, IN_EVERY_WAY).flatMap((path) => inEveryWay(endpoint, path)),
  ];
}

const post = (body: string, headers = HEADERS): Request => ({ method: "POST", path: "/mcp", headers, body });

/** Calls of every tool with the parameters of random requests, those that it does not have included. */
const ofTools = (): Request[] => [
  ...["initialize", "tools/list", "ping", "nothing"].map((method) =>
    post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} })),
  ),
  post("{"),
  post(toMessage("search", { q: "dance" }), { ...HEADERS, accept: "text/html" }),
  ...["SELECT count(*) FROM grades", "DROP TABLE grades", "SELECT * FROM nothing"].map((statement) =>
    post(toMessage("sql", { statement })),
  ),
  ...TOOLS.flatMap(({ name, path }, seed) =>
    fc.sample(requestTo(path), { numRuns: RANDOM, seed }).flatMap(({ address }) => {
      const [asked = "", query] = address.split("?");
      const id = path.endsWith("/:id") ? { id: decodeURIComponent(asked.split("/").at(-1) ?? "") } : {};
      const { cacheOnly: _same, ...args } = Object.fromEntries(new URLSearchParams(query));
      return [post(toMessage(name, { ...id, ...args })), post(toMessage(name, { ...id, ...args, limit: "1" }))];
    }),
  ),
];

/** The first pages, whose links are requested too. */
export const FIRST_PAGES = "/ /docs /find?q=dance /plan /sql /data /status /v1 /v1/rest /llms.txt".split(" ");
const FOR_PROGRAMS = [
  "/v1/openapi.json /openapi.json /client.js /client.ts /ready /health /health/live /v1/snapshots /v1/data/manifest.json",
  "/v1/data/manifest.json?since=2026-10-05 /v1/data/manifest.json?since=x /v1/data/current/nothing /v1/data/lake.ducklake",
  `/v1/rest/course/X /v2 /%zz /v1/rest/week?${"x".repeat(9000)}`,
].flatMap((line) => line.split(" "));

/** Several thousand requests. */
export const toRequests = (): readonly Request[] => [
  ...endpoints.flatMap(ofEndpoint),
  ...eachAlone.flatMap((drawn, seed) =>
    fc.sample(drawn, { numRuns: 1, seed }).map(({ address }) => ({ path: BASE + address })),
  ),
  ...FOR_PROGRAMS.flatMap((path) => [
    ...[{}, { method: "HEAD" }, { method: "POST" }].map((method) => ({ ...method, path })),
    ...["bytes=0-99", "bytes=-1", "bytes=99999999-"].map((Range) => ({ path, headers: { Range } })),
  ]),
  ...ofTools(),
];
