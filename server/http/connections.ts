/** Connection limits: slow request headers, clients that stop reading, too many connections. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "./limits.ts";
import type { Observation } from "../telemetry/observation.ts";

const CHECK_MS = 1_000;

/** Applies the limits until the returned function is called; `onClose` gets the reason for each connection that they close. */
export function limitConnections(
  server: Server,
  observation: Observation,
  { headersMs, stallMs, responseMs, connections }: Limits,
  onClose: (why: "stalled" | "too long" | "too many") => void,
): () => void {
  server.headersTimeout = headersMs;
  checkHeadersEvery(server, Math.min(CHECK_MS, headersMs / 2));
  server.maxConnections = connections;
  server.on("drop", () => onClose("too many"));

  const responseOn = (socket: Socket): ServerResponse | undefined =>
    [...observation.inFlight.keys()].find((response) => response.socket === socket);

  // Node restarts this timer on every read and write of the socket.
  server.timeout = stallMs;
  server.on("timeout", (socket: Socket) => {
    const response = responseOn(socket);
    // The response is still being computed, which has its own timeout.
    if (response && socket.writableLength === 0) return void socket.setTimeout(stallMs);
    if (response) onClose("stalled");
    socket.destroy();
  });

  const timer = setInterval(
    () => {
      const now = performance.now();
      observation.endDisconnected();
      for (const [response, { began }] of observation.inFlight) {
        if (!response.headersSent || now - began < responseMs) continue;
        onClose("too long");
        response.destroy();
      }
    },
    Math.min(CHECK_MS, responseMs),
  ).unref();
  return () => clearInterval(timer);
}

/**
 * Sets `connectionsCheckingInterval` (default 30 s), which is an option of `createServer` only and listhen does not pass on. Node restarts its timer with
 * the value on "listening".
 */
function checkHeadersEvery(server: Server, ms: number): void {
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = ms;
  server.emit("listening");
}
