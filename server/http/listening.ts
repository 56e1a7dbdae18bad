import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { H3 } from "h3";
import { listen } from "listhen";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { UsageError } from "../../pipeline/errors.ts";
import type { ResponseCache } from "./response-cache.ts";
import { silentLog } from "../../pipeline/log.ts";
import { type Limits, DEFAULT_LIMITS, KEEP_ALIVE_MS } from "./limits.ts";
import { limitConnections } from "./connections.ts";
import { drainable } from "./draining.ts";
import { omitConnection } from "./header-block.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import { createObservation, type Observation } from "../telemetry/observation.ts";
import type { RateLimitCheck } from "./rate-limit.ts";
import { OTHER_ROUTE } from "./route-names.ts";
import { Problem } from "../response/problem.ts";
import { rejectMalformed, rejectRequest } from "./early-errors.ts";
import { cacheKeyOf, type RequestContext } from "./request-context.ts";

export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly compat: boolean;
  readonly limits?: Limits;
  readonly metrics?: Metrics;
  readonly observation?: Observation;
  readonly checkRateLimit?: RateLimitCheck | undefined;
  /** Responds before routing. */
  readonly responseCache?: Pick<ResponseCache, "respond"> | undefined;
}

/** @throws UsageError when the port is taken */
export async function listenOn(
  app: H3,
  {
    host,
    port,
    compat,
    limits = DEFAULT_LIMITS,
    metrics = createMetrics(),
    observation = createObservation({ metrics, log: silentLog, routeOf: () => OTHER_ROUTE }),
    checkRateLimit,
    responseCache,
  }: ListenOptions,
): Promise<Listening> {
  const dispatch = async (req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<void> => {
    const own = { ...context };
    const answer = await app.request(new NodeRequest({ req, res }), undefined, own);
    if (answer.status === 304) omitConnection(res);
    if (!own.takeOver) return void (await sendNodeResponse(res, answer));
    observation.release(res);
    own.takeOver(res, answer.headers);
  };
  let isEnding = false;

  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    const log = observation.begin(request, response);
    const { requestId } = log;
    if (isEnding) response.shouldKeepAlive = false;
    if (request.headers.host === undefined && request.httpVersion === "1.1")
      return rejectRequest(response, new Problem(400, "The request has no Host header."), { requestId, compat });
    const problem = checkRateLimit?.(request, response);
    if (problem) return rejectRequest(response, problem, { requestId, compat, isLast: false });
    const context = { log, cacheKey: cacheKeyOf(request) };
    if (!responseCache?.respond(request, response, context))
      dispatch(request, response, context).catch(() => response.destroy());
  };
  const refused = new UsageError(
    `port ${port} is taken, or ${host === "" ? "this machine" : host} does not let this program listen on it`,
  );
  const listener = await listen(handler, {
    // listhen turns port 0 into 3000, so any free port is requested by `random`.
    port:
      port === 0 ? { port: 0, random: true } : { port, portRange: [port, port], alternativePortRange: [port, port] },
    ...(host === "" ? { public: true } : { hostname: host, public: false }),
    isProd: true,
    isTest: false,
    autoClose: false,
    showURL: false,
    ws: false,
  }).catch(() => {
    throw refused;
  });
  const server = listener.server as Server;
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  if (port !== 0 && actual !== port) {
    await listener.close();
    throw refused;
  }
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const drain = drainable(server, observation, limits.drainMs);
  const removeLimits = limitConnections(server, observation, limits, metrics.connectionClosed);
  // Handled here because Node's own responses to these two have no error body.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const { requestId } = observation.begin(request, response);
    const problem = new Problem(417, "This service knows the expectation 100-continue only.");
    rejectRequest(response, problem, { requestId, compat });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const rejected = rejectMalformed(error, socket, compat);
    if (rejected) observation.record({ ...rejected, method: "", route: OTHER_ROUTE, address: "", ms: 0 });
  });
  return {
    url: `http://${host === "" ? "localhost" : host.includes(":") ? `[${host}]` : host}:${actual}`,
    port: actual,
    async close() {
      isEnding = true;
      await drain();
      removeLimits();
    },
  };
}
