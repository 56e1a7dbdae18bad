/**
 * Ends a server: nobody new, idle connections close, responses in flight are sent to their end. Node's own `close` and `closeIdleConnections` take
 * connections for idle whose response was handed over but is not sent yet, and cut it.
 */
import type { Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Observation } from "../telemetry/observation.ts";

const IDLE_CHECK_MS = 50;

/** Returns the function that ends the server; what takes longer than `drainMs` is cut. */
export function drainable(server: Server, observation: Observation, drainMs: number): () => Promise<void> {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });

  return async () => {
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const received = new WeakMap<Socket, number>();
    const closeIdle = () => {
      const busy = new Set([...observation.inFlight.keys()].map(({ req }) => req.socket));
      for (const socket of connections) {
        // One that has sent nothing yet, or sends just now, may be about to ask.
        const isQuiet = socket.bytesRead > 0 && socket.bytesRead === received.get(socket);
        if (isQuiet && !busy.has(socket)) socket.destroy();
        received.set(socket, socket.bytesRead);
      }
    };
    const check = setInterval(() => {
      observation.endDisconnected();
      if (observation.inFlight.size === 0) server.closeAllConnections();
      else closeIdle();
    }, IDLE_CHECK_MS);
    const cut = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearInterval(check);
    clearTimeout(cut);
  };
}
