/** Counts the open event streams per client, so that a single client cannot use up all connections. */
import type { IncomingMessage } from "node:http";
import { TOO_MANY_REQUESTS } from "../../response/headers.ts";
import { Problem } from "../../response/problem.ts";
import { REQUEST_LIMITS } from "../../response/request-limits.ts";
import { clientOf } from "../../response/installation.ts";

export interface StreamsByClient {
  /** Checks the limit. @throws Problem (429) for a client that has reached it */
  admit(request: IncomingMessage): void;
  /** Counts a stream until `ended` is called. `client` is the name under which its replays are queued. */
  opened(request: IncomingMessage): { readonly client: string; readonly ended: () => void };
}

const LOOPBACK = /^(?:::1$|(?:::ffff:)?127\.)/i;

export function createStreamsByClient(
  trustProxy: boolean,
  most: number = REQUEST_LIMITS.streams.most,
): StreamsByClient {
  const open = new Map<string, number>();
  let streams = 0;
  /** True when all clients may share one address: behind a proxy on this machine without TRUST_PROXY. */
  const isEverybody = (request: IncomingMessage) => !trustProxy && LOOPBACK.test(request.socket.remoteAddress ?? "");
  return {
    admit(request) {
      if (!isEverybody(request) && (open.get(clientOf(request, trustProxy)) ?? 0) >= most)
        throw new Problem(429, `${TOO_MANY_REQUESTS} One client has at most ${most} streams.`, { "Retry-After": "60" });
    },
    opened(request) {
      const client = clientOf(request, trustProxy);
      open.set(client, (open.get(client) ?? 0) + 1);
      return {
        client: isEverybody(request) ? `${client} ${++streams}` : client,
        ended() {
          const left = (open.get(client) ?? 1) - 1;
          if (left > 0) open.set(client, left);
          else open.delete(client);
        },
      };
    },
  };
}
