/** Binds the port, starts the server and shuts it down. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import type { H3 } from "h3";
import { listen } from "listhen";
import { UsageError } from "../../pipeline/errors.ts";
import type { ResponseCache } from "./cache.ts";
import { silentLog } from "../../pipeline/log.ts";
import { KEEP_ALIVE_MS, limitConnections, drainable, rejectMalformed } from "./connections.ts";
import { type Limits, DEFAULT_LIMITS, type RateLimit } from "../../pipeline/settings/server.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import { createObservation, type Observation, OTHER_ROUTE } from "../telemetry/observation.ts";
import { createChain, createPipelining, createReject } from "./chain.ts";
import { Problem, type ToErrorBody } from "../response/problem.ts";

const PROBLEMS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) => `PORT: port ${port} is in use`,
  EACCES: (_, port) => `PORT: this user may not listen on port ${port}`,
  EADDRNOTAVAIL: (host) => `HOST: ${host} is not an address of this machine`,
  ENOTFOUND: (host) => `HOST: the name ${host} cannot be resolved`,
  EAI_AGAIN: (host) => `HOST: the name ${host} cannot be resolved`,
};

/** Checks the address by binding and releasing the port, before a first build or any loading. @throws UsageError */
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

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly toErrorBody?: ToErrorBody;
  readonly base?: string;
  readonly limits?: Limits;
  readonly metrics?: Metrics;
  readonly observation?: Observation;
  readonly rateLimit?: RateLimit | undefined;
  readonly trustProxy?: boolean;
  readonly responseCache?: Pick<ResponseCache, "replay"> | undefined;
}

/** Starts to listen. @throws UsageError when the port is taken */
export async function listenOn(
  app: H3,
  {
    host,
    port,
    toErrorBody = (fields) => fields,
    base = "/",
    limits = DEFAULT_LIMITS,
    metrics = createMetrics(),
    observation = createObservation({ metrics, log: silentLog }),
    rateLimit,
    trustProxy = false,
    responseCache,
  }: ListenOptions,
) {
  const reject = createReject(toErrorBody);
  const pipelining = createPipelining(limits.waitingRequests, () => metrics.connectionClosed("too many"));
  const chain = createChain(app, {
    ...{ base, pipelining, observation, reject, rateLimit, trustProxy, responseCache },
    onRateLimited: metrics.rateLimited,
  });
  const refused = new UsageError(
    `port ${port} is taken, or ${host === "" ? "this machine" : host} does not let this program listen on it`,
  );
  const listener = await listen(chain.handle, {
    // Listhen turns port 0 into 3000, so `random` requests any free port.
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
  // Both cases are handled here because Node's own responses have no error body.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    pipelining.inOrder(request.socket, response, () => {
      const log = observation.begin(request, response);
      reject({ response, log }, new Problem(417, "This service knows the expectation 100-continue only."));
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // A client cannot be late while its socket is paused.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && pipelining.wasPaused(socket, limits.headersMs)) return;
    pipelining.endInOrder(socket, () => {
      const rejected = rejectMalformed(error, socket, toErrorBody);
      if (rejected) observation.record({ ...rejected, method: "", route: OTHER_ROUTE, address: "", ms: 0 });
    });
  });
  return {
    url: `http://${host === "" ? "localhost" : host.includes(":") ? `[${host}]` : host}:${actual}`,
    port: actual,
    async close(): Promise<void> {
      chain.end();
      await drain();
      removeLimits();
    },
  };
}
