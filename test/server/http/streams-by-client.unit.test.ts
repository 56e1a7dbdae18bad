import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { createStreamsByClient } from "../../../server/http/events/event-streams.ts";

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

it("a client has so many streams and no more; another client's are its own", () => {
  const streams = createStreamsByClient(false, 2);
  const first = streams.opened(from("192.0.2.1"));
  streams.opened(from("192.0.2.1"));
  expect(() => streams.admit(from("192.0.2.1"))).toThrow(/at most 2 streams/);
  streams.admit(from("192.0.2.2"));
  first.ended();
  streams.admit(from("192.0.2.1"));
});

it("behind a proxy the client is the one that it saw; without one, this machine's own are not counted", () => {
  const proxied = createStreamsByClient(true, 1);
  proxied.opened(from("127.0.0.1", "192.0.2.1"));
  expect(() => proxied.admit(from("127.0.0.1", "192.0.2.1"))).toThrow(expect.objectContaining({ status: 429 }));
  proxied.admit(from("127.0.0.1", "192.0.2.2"));
  const direct = createStreamsByClient(false, 1);
  direct.opened(from("127.0.0.1"));
  direct.admit(from("127.0.0.1"));
});
