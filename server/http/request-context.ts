/** What is known of a request from its beginning. */
import type { IncomingMessage } from "node:http";
import type { H3Event } from "h3";
import { isStrict, STRICT } from "../response/prefer.ts";
import type { RequestLogFields } from "../telemetry/observation.ts";
import { requestIdFor } from "../telemetry/request-id.ts";

/** Handed to every function on a request's way; h3 passes it to its handlers as `event.context`. */
export interface RequestContext {
  readonly log: RequestLogFields;
  /** See `cacheKeyOf`; undefined for a request that did not come through the listener. */
  readonly cacheKey?: string;
}

/** The address and every header that decides a response. */
export const cacheKeyOf = ({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): string =>
  `${headers["accept-encoding"] ?? ""}\n${headers.accept ?? ""}\n${isStrict(headers.prefer?.toString()) ? STRICT : ""}\n${url}`;

/** The request that a cache key stands for. */
export function toRequest(cacheKey: string): { url: string; headers: Record<string, string> } {
  const [encoding = "", accept = "", prefer = "", url = ""] = cacheKey.split("\n");
  return {
    url,
    headers: { ...(encoding && { "accept-encoding": encoding }), ...(accept && { accept }), ...(prefer && { prefer }) },
  };
}

/** The context of h3's event; a request that was made within this process gets one of its own. */
export function contextOf(event: H3Event): RequestContext {
  const context = event.context as Partial<{ -readonly [K in keyof RequestContext]: RequestContext[K] }>;
  context.log ??= { requestId: requestIdFor(event.req.headers.get("x-request-id")) };
  return context as RequestContext;
}
