/** The h3 application: routes, methods, and the mapping of every failure to an error response. */
import { H3, type H3Event, HTTPError, HTTPResponse } from "h3";
import type { Log } from "../../pipeline/log.ts";
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";
import { BASE, type Endpoint } from "../response/endpoint.ts";
import { ALLOWED_METHODS, commonHeaders, POST_METHODS, preflightHeaders } from "../response/headers.ts";
import { appliedPreference, isStrict } from "../response/negotiation.ts";
import { malformed, Problem, problemParts, toCause, type ToErrorBody, toProblem } from "../response/problem.ts";
import { REQUEST_LIMITS } from "../response/request-limits.ts";
import { didYouMean } from "../response/warnings.ts";
import type { Page, PageRequest, Pages } from "../pages/page.ts";
import { logFieldsOf, OTHER_ROUTE } from "../telemetry/observation.ts";
import type { Respond } from "./respond.ts";

/** The longest accepted URL, in characters; well below Node's own limit for request headers. */
const MAX_URL_LENGTH = REQUEST_LIMITS.address.most;

interface AppParts {
  readonly endpoints: readonly Endpoint[];
  readonly toErrorBody: ToErrorBody;
  readonly respond: Respond;
  /** Other routes: the site, health, documentation. */
  readonly pages?: Pages;
  readonly posts?: Pages;
  /** Handles GET and HEAD for every other path; undefined = a JSON 404. */
  readonly fallback?: (request: PageRequest) => ReturnType<Page> | undefined;
  readonly log: Log;
}

export function createApp({ endpoints, toErrorBody, respond, pages = {}, posts = {}, fallback, log }: AppParts): H3 {
  function toErrorResponse(error: unknown, event: H3Event, headers: Record<string, string> = {}): HTTPResponse {
    const problem = toProblem(error);
    const fields = logFieldsOf(event);
    // An error after the client disconnected is not a server failure.
    if (problem.status >= 500 && !event.req.signal.aborted) {
      fields.cause = toCause(error);
      // The listener logs its requests itself.
      if (!event.runtime?.node) log.error("request failed", { ...fields, status: problem.status });
    }
    const parts = problemParts(problem, fields.requestId, toErrorBody);
    return new HTTPResponse(parts.body, { status: problem.status, headers: { ...parts.headers, ...headers } });
  }

  async function handle(
    event: H3Event,
    route: string,
    answer: (requestId: string) => Promise<HTTPResponse> | HTTPResponse,
    headersOfErrors?: () => Record<string, string>,
    methods = ALLOWED_METHODS,
  ): Promise<HTTPResponse> {
    const fields = logFieldsOf(event);
    fields.route = route;
    try {
      const { method } = event.req;
      if (method === "OPTIONS") {
        const headers = { ...commonHeaders(fields.requestId), ...preflightHeaders(methods) };
        return new HTTPResponse(null, { status: 204, headers });
      }
      if (!methods.split(", ").includes(method))
        throw new Problem(405, `This resource allows ${methods} only.`, { Allow: methods });
      if (event.url.pathname.length + event.url.search.length > MAX_URL_LENGTH) {
        throw new Problem(414, `The address is longer than ${MAX_URL_LENGTH} characters.`);
      }
      return await answer(fields.requestId);
    } catch (error) {
      return toErrorResponse(error, event, headersOfErrors?.());
    }
  }

  const unknownPath = createUnknownPath([
    ...endpoints.map(({ path }) => BASE + path),
    ...Object.keys({ ...pages, ...posts }),
  ]);

  const app = new H3({
    silent: true,
    // These are h3's own errors, such as a malformed URL.
    onError: (error, event) =>
      toErrorResponse(HTTPError.isError(error) && !error.unhandled ? malformed(error.status) : error, event),
  });
  for (const endpoint of endpoints) {
    const handler = (event: H3Event) =>
      handle(
        event,
        `${BASE}${endpoint.path}`,
        () => respond(endpoint, event),
        () => appliedPreference(isStrict(event.req.headers.get("prefer"))),
      );
    for (const path of endpoint.alsoAt === undefined ? [endpoint.path] : [endpoint.path, endpoint.alsoAt]) {
      app.all(`${BASE}${path}`, handler);
      app.all(`${BASE}${path}/`, handler);
    }
    if (endpoint.id?.hasSlashes) app.all(`${BASE}${endpoint.path.replace(":id", "**")}`, handler);
  }
  for (const [path, page] of Object.entries(pages))
    app.all(path, (event) => handle(event, path, (requestId) => page({ event, requestId })));
  for (const [path, page] of Object.entries(posts))
    app.all(path, (event) => handle(event, path, (requestId) => page({ event, requestId }), undefined, POST_METHODS));
  app.all("/**", (event) => {
    const unknown = () => toErrorResponse(unknownPath(event.url.pathname), event);
    if (!fallback || !["GET", "HEAD"].includes(event.req.method)) return unknown();
    return handle(event, OTHER_ROUTE, (requestId) => fallback({ event, requestId }) ?? unknown());
  });
  return app;
}

const NOT_FOUND = "The requested resource could not be found";
/** Bounds the work; no served path without an id is longer. */
const MAX_LENGTH = 100;
const ID = ":id";

/**
 * Creates a function that returns the 404 for an unknown address, with likely alternatives (server/RULES.md, HTTP).
 * @param servedPaths all paths; `:id` in a path stands for any segment
 */
function createUnknownPath(servedPaths: readonly string[]): (pathname: string) => Problem {
  const paths = servedPaths.filter((path) => path !== "/" && !path.endsWith("/") && !path.includes("*"));

  function suggest(pathname: string): readonly string[] {
    const path = pathname.replace(/\/+$/, "");
    if (path === "" || path.length > MAX_LENGTH) return [];
    const segments = path.split("/");
    const candidates = paths.map((template) =>
      template
        .split("/")
        .map((word, i) => (word === ID ? (segments[i] ?? ID) : word))
        .join("/"),
    );
    const close = closestNames(
      path,
      candidates.filter((candidate) => !candidate.includes(ID)),
    );
    if (close.length > 0) return close;
    const fixed = paths.filter((candidate) => !candidate.includes(ID));
    const below = fixed.filter((candidate) => candidate.startsWith(path));
    const ending = below.length > 0 ? below : fixed.filter((candidate) => candidate.endsWith(`/${segments.at(-1)}`));
    return ending.slice(0, MAX_SUGGESTIONS);
  }

  return (pathname) => new Problem(404, `${NOT_FOUND}${didYouMean(suggest(pathname)) || "."}`);
}
