/** Listens, and stops listening without cutting off those who are being answered. */
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
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import { createObserving, type Observing } from "../telemetry/observation.ts";
import type { Limit } from "./rate-limit.ts";
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
  readonly bounds?: Limits;
  readonly metrics?: Metrics;
  readonly observing?: Observing;
  /** Why a request may not be answered now. */
  readonly limit?: Limit | undefined;
  /** Answers what it knows; everything else goes to the application. */
  readonly known?: Pick<ResponseCache, "respond"> | undefined;
}

const IDLE_CHECK_MS = 50;

/** @throws UsageError when the port is taken: another one would not be the one that clients know */
export async function listenOn(
  app: H3,
  {
    host,
    port,
    compat,
    bounds = DEFAULT_LIMITS,
    metrics = createMetrics(),
    observing = createObserving({ metrics, log: silentLog, routeOf: () => OTHER_ROUTE }),
    limit,
    known,
  }: ListenOptions,
): Promise<Listening> {
  const dispatch = async (req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<void> => {
    const answer = await app.request(new NodeRequest({ req, res }), undefined, { ...context });
    await sendNodeResponse(res, answer);
  };
  let isEnding = false;

  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    const log = observing.begin(request, response);
    const { requestId } = log;
    if (isEnding) response.shouldKeepAlive = false;
    if (request.headers.host === undefined && request.httpVersion === "1.1")
      return rejectRequest(response, new Problem(400, "The request has no Host header."), { requestId, compat });
    const refused = limit?.(request, response);
    if (refused) return rejectRequest(response, refused, { requestId, compat, isLast: false });
    const context = { log, cacheKey: cacheKeyOf(request) };
    if (!known?.respond(request, response, context))
      dispatch(request, response, context).catch(() => response.destroy());
  };
  const refused = new UsageError(
    `port ${port} is taken, or ${host === "" ? "this machine" : host} does not let this program listen on it`,
  );
  const listener = await listen(handler, {
    // A number that is no valid port stands for "any": listhen would turn 0 into 3000.
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
  const stopWatching = limitConnections(server, observing, bounds, metrics.cut);
  // Node itself would refuse these two without the shape of all errors.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const { requestId } = observing.begin(request, response);
    const problem = new Problem(417, "This service knows the expectation 100-continue only.");
    rejectRequest(response, problem, { requestId, compat });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const refused = rejectMalformed(error, socket, compat);
    if (refused) observing.observe({ ...refused, method: "", route: OTHER_ROUTE, address: "", ms: 0 });
  });
  return {
    url: `http://${host === "" ? "localhost" : host.includes(":") ? `[${host}]` : host}:${actual}`,
    port: actual,
    async close() {
      isEnding = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => {
        // A connection that is kept alive becomes idle when its last answer has gone out; one that never asked never does.
        observing.forgetDead();
        if (observing.underWay.size === 0) server.closeAllConnections();
        else server.closeIdleConnections();
      }, IDLE_CHECK_MS);
      const cut = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
      stopWatching();
    },
  };
}
