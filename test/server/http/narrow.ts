/** Servers with bounds so narrow that a test reaches them. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { H3 } from "h3";
import { listenOn } from "../../../server/http/listening.ts";
import { type Limits, DEFAULT_LIMITS } from "../../../pipeline/settings/server.ts";
import { createMetrics } from "../../../server/telemetry/metrics.ts";

/** What a test opened; it closes all of it at its end. */
export type Closing = (() => Promise<void> | void)[];

export async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close();
}

export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 500) throw new Error("it never came to that");
    await sleep(10);
  }
}

/** A listening server, and why it closed connections. */
export async function listenWith(app: H3, change: Partial<Limits>, closing: Closing) {
  const cuts: string[] = [];
  const metrics = { ...createMetrics(), connectionClosed: (why: string) => void cuts.push(why) };
  const listening = await listenOn(app, {
    host: "127.0.0.1",
    port: 0,
    limits: { ...DEFAULT_LIMITS, ...change },
    metrics,
  });
  closing.push(listening.close);
  return { url: listening.url, cuts };
}

/** A connection on which a text is sent as it is. */
export function open(url: string, text: string, closing: Closing): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => void socket.write(text));
  socket.on("error", () => undefined);
  closing.push(() => void socket.destroy());
  return socket;
}
