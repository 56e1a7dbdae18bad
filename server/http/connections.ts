/** Bounds of connections: late heads, clients that do not read their answer (they hold memory for nothing), too many at once. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "./limits.ts";
import type { Observing } from "../telemetry/observation.ts";

const CHECK_MS = 1_000;

/** Sets the bounds until the returned function is called. `cut` is told why a connection was closed. */
export function limitConnections(
  server: Server,
  observing: Observing,
  { headersMs, stallMs, responseMs, connections }: Limits,
  cut: (why: "stalled" | "too long" | "too many") => void,
): () => void {
  server.headersTimeout = headersMs;
  checkHeadsEvery(server, Math.min(CHECK_MS, headersMs / 2));
  server.maxConnections = connections;
  server.on("drop", () => cut("too many"));

  const answering = (socket: Socket): ServerResponse | undefined =>
    [...observing.underWay.keys()].find((response) => response.socket === socket);

  // Node restarts this clock whenever something came in or went out, also a part of what waits to go out.
  server.timeout = stallMs;
  server.on("timeout", (socket: Socket) => {
    const response = answering(socket);
    // The answer is still being made: that has bounds of its own.
    if (response && socket.writableLength === 0) return void socket.setTimeout(stallMs);
    if (response) cut("stalled");
    socket.destroy();
  });

  const timer = setInterval(
    () => {
      const now = performance.now();
      observing.forgetDead();
      for (const [response, { began }] of observing.underWay) {
        if (!response.headersSent || now - began < responseMs) continue;
        cut("too long");
        response.destroy();
      }
    },
    Math.min(CHECK_MS, responseMs),
  ).unref();
  return () => clearInterval(timer);
}

/**
 * Node looks for late heads every half minute unless a server is made otherwise, which listhen does not offer; it begins anew with a server that begins
 * to listen.
 */
function checkHeadsEvery(server: Server, ms: number): void {
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = ms;
  server.emit("listening");
}
