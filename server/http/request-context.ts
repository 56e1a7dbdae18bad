import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3Event } from "h3";
import { isStrict, STRICT } from "../response/prefer.ts";
import type { RequestLogFields } from "../telemetry/observation.ts";
import { requestIdFor } from "../telemetry/request-id.ts";

/** h3 passes it to handlers as `event.context`. */
export interface RequestContext {
  readonly log: RequestLogFields;
  /** See `cacheKeyOf`; undefined for requests that did not come through the listener. */
  readonly cacheKey?: string;
  /** Sends the response and keeps it open: the application's response has only its headers. */
  takeOver?: (response: ServerResponse, headers: Headers) => void;
}

/** The URL and every header that responses vary on. */
export const cacheKeyOf = ({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): string =>
  `${headers["accept-encoding"] ?? ""}\n${headers.accept ?? ""}\n${isStrict(headers.prefer?.toString()) ? STRICT : ""}\n${url}`;

export function toRequest(cacheKey: string): { url: string; headers: Record<string, string> } {
  const [encoding = "", accept = "", prefer = "", url = ""] = cacheKey.split("\n");
  return {
    url,
    headers: { ...(encoding && { "accept-encoding": encoding }), ...(accept && { accept }), ...(prefer && { prefer }) },
  };
}

/** The context of an event; in-process requests (warm-up, tests) get a new one. */
export function contextOf(event: H3Event): RequestContext {
  const context = event.context as Partial<{ -readonly [K in keyof RequestContext]: RequestContext[K] }>;
  context.log ??= { requestId: requestIdFor(event.req.headers.get("x-request-id")) };
  return context as RequestContext;
}
