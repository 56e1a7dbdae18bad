/** The application: routes, methods, and the one place where every failure becomes one shape. */
import { H3, type H3Event, HTTPError, HTTPResponse } from "h3";
import type { Log } from "../../pipeline/log.ts";
import { type Answering, createResponder } from "./respond.ts";
import { type BodyCache, createBodyCache } from "../response/body-cache.ts";
import { acceptLooseForms, olderPath } from "../response/compat/requests.ts";
import { BASE, type Endpoint, type LiveSchedule } from "../response/endpoint.ts";
import { ALLOWED_METHODS, commonHeaders, JSON_TYPE, PREFLIGHT_HEADERS } from "../response/headers.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { LargeResponses } from "./large-responses.ts";
import { contextOf } from "./request-context.ts";
import type { Pages } from "../site/page.ts";
import type { Pool } from "../duckdb/pool.ts";
import { appliedPreference, isStrict } from "../response/prefer.ts";
import { nothingServed, Problem, problemBody, toCause, toProblem } from "../response/problem.ts";
import type { Store } from "../snapshot/store.ts";

/** A longer address is refused; it is well below Node's own limit for a request's head. */
const MAX_URL_LENGTH = 8192;

export interface AppParts {
  readonly endpoints: readonly Endpoint[];
  /** What is no endpoint: start page, readiness, documentation. */
  readonly pages?: Pages;
  readonly store: Store;
  readonly pool: Pool;
  /** EncodedBody answers; one of its own when not given. */
  readonly cache?: BodyCache;
  /** What may answer before the application is asked. */
  readonly known?: ResponseCache;
  readonly log: Log;
  readonly compat: boolean;
  readonly live: LiveSchedule;
  /** How many large answers may be under way; without it, any number. */
  readonly large?: LargeResponses;
  readonly now?: () => Date;
}

/** Builds the application; `toNodeHandler(app)` serves it. */
export function createApp({
  endpoints,
  pages = {},
  store,
  pool,
  cache = createBodyCache(),
  known,
  log,
  compat,
  live,
  large,
  now = () => new Date(),
}: AppParts): H3 {
  const answering: Answering = createResponder({ store, pool, cache, known, compat, live, large });

  function refuse(
    error: unknown,
    event: H3Event,
    { isGone = false, headers = {} }: { isGone?: boolean; headers?: Record<string, string> } = {},
  ): HTTPResponse {
    const problem = toProblem(error);
    const { log: fields, cacheKey } = contextOf(event);
    const { requestId } = fields;
    if (problem.status >= 500 && !isGone) {
      fields.cause = toCause(error);
      // The listener logs every request of its own, with its failure.
      if (cacheKey === undefined) log.error("a request failed", { ...fields, status: problem.status });
    }
    const body = problemBody(problem, requestId, compat);
    return new HTTPResponse(body, {
      status: problem.status,
      headers: {
        ...commonHeaders(requestId),
        ...problem.headers,
        ...headers,
        "Content-Type": JSON_TYPE,
        "Content-Length": String(Buffer.byteLength(body)),
        "Cache-Control": "no-store",
      },
    });
  }

  async function handle(
    event: H3Event,
    use: (requestId: string) => Promise<HTTPResponse> | HTTPResponse,
    /** On errors too. */
    headers: Record<string, string> = {},
  ): Promise<HTTPResponse> {
    const { requestId } = contextOf(event).log;
    try {
      const { method } = event.req;
      if (method === "OPTIONS") {
        return new HTTPResponse(null, { status: 204, headers: { ...commonHeaders(requestId), ...PREFLIGHT_HEADERS } });
      }
      if (method !== "GET" && method !== "HEAD") {
        throw new Problem(405, `This resource answers ${ALLOWED_METHODS} only.`, { Allow: ALLOWED_METHODS });
      }
      if (event.url.pathname.length + event.url.search.length > MAX_URL_LENGTH) {
        throw new Problem(414, `The address is longer than ${MAX_URL_LENGTH} characters.`);
      }
      return await use(requestId);
    } catch (error) {
      // What fails because the client hung up is no failure.
      return refuse(error, event, { isGone: event.req.signal.aborted, headers });
    }
  }

  async function answer(event: H3Event, endpoint: Endpoint, requestId: string): Promise<HTTPResponse> {
    const answered = store.withSnapshot((snapshot, stay) =>
      answering.answer(endpoint, snapshot, { event, requestId, now: now(), stay }),
    );
    if (!answered) throw nothingServed(store.mismatch());
    return answered;
  }

  const app = new H3({
    silent: true,
    // What h3 itself refuses, such as a malformed address, gets the same shape as everything else.
    onError: (error, event) =>
      refuse(
        HTTPError.isError(error) && !error.unhandled ? new Problem(error.status, "The request is malformed.") : error,
        event,
      ),
  });
  for (const endpoint of compat ? endpoints.map(acceptLooseForms) : endpoints) {
    const older = compat ? olderPath(endpoint.path) : undefined;
    const use = (event: H3Event) =>
      handle(
        event,
        (requestId) => answer(event, endpoint, requestId),
        appliedPreference(isStrict(event.req.headers.get("prefer"))),
      );
    for (const path of older === undefined ? [endpoint.path] : [endpoint.path, older]) {
      app.all(`${BASE}${path}`, use);
      app.all(`${BASE}${path}/`, use);
    }
  }
  for (const [path, page] of Object.entries(pages))
    app.all(path, (event) => handle(event, (requestId) => page({ event, requestId })));
  app.all("/**", (event) => refuse(new Problem(404, "The requested resource could not be found."), event));
  return app;
}
