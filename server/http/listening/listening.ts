/** Where the server listens, and what it does with each request before the application. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import type { H3, H3EventContext } from "h3";
import { listen } from "listhen";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { UsageError } from "../../../pipeline/errors.ts";
import type { ResponseCache } from "../response-cache.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { KEEP_ALIVE_MS, limitConnections, drainable } from "./connections.ts";
import { type Limits, DEFAULT_LIMITS } from "../../../pipeline/settings/server.ts";
import { omitConnection } from "../response-cache.ts";
import { createMetrics, type Metrics } from "../../telemetry/metrics.ts";
import { createObservation, type Observation, OTHER_ROUTE } from "../../telemetry/observation.ts";
import type { RateLimitCheck } from "./rate-limit.ts";
import { Problem, type ToErrorBody } from "../../response/problem.ts";
import { hostProblem, rejectMalformed, rejectRequest } from "./early-errors.ts";
import { createTurns } from "./pipelining.ts";
import type { RequestContext } from "../request-context.ts";

const PROBLEMS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) => `PORT: port ${port} is in use`,
  EACCES: (_, port) => `PORT: this user may not listen on port ${port}`,
  EADDRNOTAVAIL: (host) => `HOST: ${host} is not an address of this machine`,
  ENOTFOUND: (host) => `HOST: the name ${host} cannot be resolved`,
  EAI_AGAIN: (host) => `HOST: the name ${host} cannot be resolved`,
};

/** Binds and releases the port, before a first build or any loading. @throws UsageError */
export async function checkAddress({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port, ...(host === "" ? {} : { host }) });
    await once(server, "listening");
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new UsageError(PROBLEMS[code]?.(host, port) ?? `HOST, PORT: cannot listen there (${code})`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** @param base with a slash at both ends; `/academic?x` is `/?x` below `/academic/` */
function withoutPrefix(url: string, base: string): string {
  const prefix = base.slice(0, -1);
  const rest = url.startsWith(prefix) ? url.slice(prefix.length) : url;
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest.startsWith("/") ? rest : url;
}

interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly toErrorBody?: ToErrorBody;
  /** A path prefix that requests may have, with a slash at both ends. */
  readonly base?: string;
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
    toErrorBody = (fields) => fields,
    base = "/",
    limits = DEFAULT_LIMITS,
    metrics = createMetrics(),
    observation = createObservation({ registry: metrics.registry, log: silentLog }),
    checkRateLimit,
    responseCache,
  }: ListenOptions,
): Promise<Listening> {
  const dispatch = async (req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<void> => {
    const answer = await app.request(new NodeRequest({ req, res }), undefined, context as object as H3EventContext);
    if (answer.status === 304) omitConnection(res);
    // One that stays open was sent by whoever keeps it open.
    if (res.headersSent) observation.release(res);
    else await sendNodeResponse(res, answer);
  };
  let isEnding = false;

  const turns = createTurns(limits.waitingRequests, () => metrics.connectionClosed("too many"));
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const log = observation.begin(request, response);
    const { requestId } = log;
    if (isEnding) response.shouldKeepAlive = false;
    request.url = withoutPrefix(request.url ?? "/", base);
    const malformed = hostProblem(request);
    if (malformed) return rejectRequest(response, malformed, { requestId, toErrorBody });
    const limited = checkRateLimit?.(request, response);
    if (limited) return rejectRequest(response, limited, { requestId, toErrorBody, isLast: false });
    const context: RequestContext = { log, isObserved: true };
    if (!responseCache?.respond(request, response, context))
      dispatch(request, response, context).catch(() => response.destroy());
  };
  const handler = (request: IncomingMessage, response: ServerResponse): void =>
    turns.take(request.socket, response, () => answer(request, response));
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
    turns.take(request.socket, response, () => {
      const { requestId } = observation.begin(request, response);
      const problem = new Problem(417, "This service knows the expectation 100-continue only.");
      rejectRequest(response, problem, { requestId, toErrorBody });
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // A client cannot be late while its socket is not read.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && turns.wasPaused(socket, limits.headersMs)) return;
    turns.take(socket, undefined, () => {
      const rejected = rejectMalformed(error, socket, toErrorBody);
      if (rejected) observation.record({ ...rejected, method: "", route: OTHER_ROUTE, address: "", ms: 0 });
    });
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
