/** The pause between requests, seen from the upstream's side. */
import { createServer } from "node:http";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { createClient, type RequestPolicy } from "../../../pipeline/sources/client/http.ts";

const policy: RequestPolicy = {
  concurrency: 1,
  pauseMs: 0,
  timeoutMs: 5000,
  retries: 8,
  backoffMs: 5,
  backoffCapMs: 20,
};

/**
 * A server that notes when requests begin and end; it answers 302 to a request that comes sooner than `gapMs` after the
 * previous one.
 */
async function openServer({ gapMs = 0, responseMs = 0 } = {}) {
  const begun: number[] = [];
  const ended: number[] = [];
  let refused = 0;
  const server = createServer((_request, response) => {
    const last = begun.at(-1);
    const now = performance.now();
    begun.push(now);
    if (last !== undefined && now - last < gapMs) {
      refused++;
      response.writeHead(302, { Location: "/slow-down" }).end();
      return;
    }
    setTimeout(() => response.end("ok", () => ended.push(performance.now())), responseMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
  return { url, begun, ended, refused: () => refused, close: () => server.close() };
}

let open: Awaited<ReturnType<typeof openServer>>;
afterEach(() => open.close());

it("CRAWL_PAUSE_MS lies between the end of a request and the start of the next, where one is made at a time", async () => {
  open = await openServer({ responseMs: 30 });
  const client = createClient("schedule", { ...policy, pauseMs: 60 });
  await Promise.all(Array.from({ length: 4 }, () => client.request({ url: open.url }, () => undefined)));
  const pauses = open.begun.slice(1).map((at, i) => at - (open.ended[i] as number));
  // The clocks of the two sides may differ by a moment.
  for (const pause of pauses) expect(pause).toBeGreaterThan(55);
});

it("an upstream that redirects whoever is too fast gets requests more slowly, until it answers", async () => {
  open = await openServer({ gapMs: 40 });
  const client = createClient("schedule", { ...policy, concurrency: 4, backoffMs: 50, backoffCapMs: 400 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.request({ url: open.url }, ({ body }) => body.toString())),
  );
  expect(answers).toEqual(Array.from({ length: 20 }, () => "ok"));
  expect(open.refused()).toBeGreaterThan(0);
  expect(open.refused()).toBeLessThan(80);
});
