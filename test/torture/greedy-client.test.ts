/**
 * Clients that pipeline and never read: their cost in server memory, at most and afterwards, and whether others are
 * still answered.
 */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPublisher } from "../pipeline/publish/publisher.ts";
import { start } from "../support/program.ts";
import { openFolder } from "../support/whole-run.ts";

const CONNECTIONS = 10;
const REQUESTS = 1_000;
const SECONDS = 30;
/** Streamed, buffered, not found, and answered before routing. */
const PATHS = ["/v1/rest/grades/raw", "/v1/rest/grades/raw?limit=1000", "/v1/rest/courses/none", "/v1/rest/week"];

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
  const publisher = await openPublisher(folder.artifacts, { rows: 25_000, tables: ["grades"] });
  await publisher.publish();
  publisher.close();
});
afterAll(() => folder?.remove());

const megabytes = async (pid: number | undefined): Promise<number> =>
  Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);

async function openGreedy(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

test.each([
  { mode: "plain" },
  { mode: "gzip", encoding: "gzip" },
  { mode: "COMPAT", compat: "1" },
  { mode: "COMPAT and gzip", compat: "1", encoding: "gzip" },
])("$mode", async ({ mode, compat = "0", encoding }) => {
  const { child, ended, says } = start("server/main.ts", [], {
    ...folder.env,
    HOST: "127.0.0.1",
    PORT: "0",
    COMPAT: compat,
  });
  const [, url = ""] = await says(/"url":"(http:\/\/127\.0\.0\.1:\d+)"/);
  const headers: Record<string, string> = encoding === undefined ? {} : { "accept-encoding": encoding };
  const lines = Object.entries({ host: "x", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const get = (n: number) => `GET ${PATHS[n % PATHS.length]} HTTP/1.1\r\n${lines.join("")}\r\n`;
  const text = Array.from({ length: REQUESTS }, (_, n) => get(n)).join("");

  // Clients that read make the server's caches as full as they will be.
  for (let round = 0; round < 10; round++)
    await Promise.all(PATHS.map(async (path) => (await fetch(url + path, { headers })).arrayBuffer()));
  const before = await megabytes(child.pid);

  const greedy = await Promise.all(Array.from({ length: CONNECTIONS }, () => openGreedy(url, text)));
  let [most, answered, slowestMs] = [before, 0, 0];
  for (const until = Date.now() + SECONDS * 1000; Date.now() < until; await sleep(100)) {
    const began = performance.now();
    answered += Number((await fetch(`${url}/v1/rest/week`)).ok);
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - began));
    most = Math.max(most, await megabytes(child.pid));
  }
  for (const socket of greedy) socket.destroy();
  await sleep(5_000);
  const after = await megabytes(child.pid);
  process.stdout.write(`${JSON.stringify({ mode, megabytes: { before, most, after }, answered, slowestMs })}\n`);
  expect(most - before).toBeLessThan(300);
  expect(after - before).toBeLessThan(100);
  expect(answered).toBeGreaterThan(SECONDS);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
});
