/** The server as a process: what it says, how it ends, and how it fails to start. */
import { writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { start } from "../../support/program.ts";
import { openPublisher } from "../../pipeline/publish/publisher.ts";
import { openFolder } from "../../support/whole-run.ts";
import { ask } from "./wire.ts";

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
  const publisher = await openPublisher(folder.artifacts, { rows: 20_000, tables: ["grades"] });
  await publisher.publish();
  publisher.close();
});
afterAll(() => folder?.remove());

const server = (env: Record<string, string> = {}) =>
  start("server/main.ts", [], { ...folder.env, HOST: "127.0.0.1", PORT: "0", ...env });

const listening = /"url":"(http:\/\/127\.0\.0\.1:\d+)","msg":"listening"/;

/** A connection that has begun a large download and reads no further. */
async function beginDownload(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write("GET /v1/rest/grades/raw HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((resolve) => socket.once("readable", resolve));
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

it("SIGTERM: not ready any more, nobody new, what runs is finished, status 0; every line is JSON", async () => {
  const { child, ended, says } = server({ LOG_LEVEL: "debug" });
  const [, url = ""] = await says(listening);
  await ask(`${url}/v1/rest/week?x=1`, { headers: { "x-request-id": "from-a-proxy.7" } });
  const download = await beginDownload(url);
  child.kill("SIGTERM");
  await says(/"ending/);
  await expect(ask(`${url}/health/live`)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  download.write("GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n");
  const text = await readAll(download);
  const second = text.indexOf("HTTP/1.1 ", 20);
  const [head = "", body = ""] = text.slice(0, second).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`);
  expect(JSON.parse(body)).toBeInstanceOf(Array);
  expect(text.slice(second)).toMatch(/^HTTP\/1\.1 503 [^]*connection: close[^]*"status":"ending"/i);
  const { code, err } = await ended;
  expect(code).toBe(0);
  const lines = err
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.at(-1)).toMatchObject({ level: "info", msg: "ended" });
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: "debug",
      msg: "request",
      requestId: "from-a-proxy.7",
      route: "/v1/rest/week",
      status: 200,
    }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ msg: "request", route: "/v1/rest/grades/raw", rows: 40_000 }));
});

it("a second signal ends it at once: status 143", async () => {
  const { child, ended, says } = server({ LOG_FORMAT: "text" });
  const [, url = ""] = await says(/ info {2}listening url=(http:\/\/127\.0\.0\.1:\d+)/);
  const download = await beginDownload(url);
  child.kill("SIGTERM");
  await says(/ending/);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(143);
  download.destroy();
});

it("a start that fails says why in one sentence, status 2", async () => {
  const file = join(folder.data, "..", "a-file");
  await writeFile(file, "");
  const { code, out, err } = await server({ ARTIFACTS_DIR: file, LOG_LEVEL: "error" }).ended;
  expect([code, out, err]).toEqual([2, "", `ARTIFACTS_DIR must be a folder, not "${file}"\n`]);
});
