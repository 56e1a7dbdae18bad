/** The middleware chain in front of the application, in the order in which a request passes through it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3 } from "h3";
import type { Observation } from "../../telemetry/observation.ts";
import { replayCached, type ResponseCache } from "../response-cache.ts";
import { application } from "./application.ts";
import { withValidHost } from "./host.ts";
import { compose } from "./middleware.ts";
import type { Pipelining } from "./pipelining.ts";
import { withoutPrefix } from "./prefix.ts";
import { type RateLimitCheck, withinLimit } from "./rate-limit.ts";
import type { Reject } from "./reject.ts";

export interface ChainParts {
  /** A path prefix that requests may have, with a slash at both ends. */
  readonly base: string;
  readonly pipelining: Pipelining;
  /** True while the server shuts down: connections close after their responses. */
  readonly isEnding: () => boolean;
  readonly observation: Observation;
  readonly reject: Reject;
  /** Undefined = unlimited. */
  readonly checkRateLimit: RateLimitCheck | undefined;
  /** Undefined = every request is routed. */
  readonly responseCache: Pick<ResponseCache, "respond"> | undefined;
}

export function createChain(
  app: H3,
  { base, pipelining, isEnding, observation, reject, checkRateLimit, responseCache }: ChainParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = compose([
    withoutPrefix(base),
    withValidHost(reject),
    ...(checkRateLimit ? [withinLimit(checkRateLimit, reject)] : []),
    ...(responseCache ? [replayCached(responseCache)] : []),
    application(app, observation),
  ]);
  return (request, response) =>
    pipelining.inOrder(request.socket, response, () => {
      const context = { log: observation.begin(request, response), isObserved: true };
      if (isEnding()) response.shouldKeepAlive = false;
      answer({ request, response, context });
    });
}
