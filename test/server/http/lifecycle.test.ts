/** The server as a process: what it says, how it ends, and how it fails to start. */
import { writeFile } from "node:fs/promises";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_FRESHNESS, writeFreshness } from "../../../pipeline/store/freshness.ts";
import { isWhole, someOf } from "../../support/extent.ts";
import { start } from "../../support/program.ts";
import { publishRows } from "../../support/published/published.ts";
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

/** On a busy machine a response may take more than a second, which is logged as a warning. */
const SLOW = "a slow response";
const answered = expect.stringMatching(`^(request|${SLOW})$`) as string;

it("SIGTERM: not ready any more, nobody new, what runs is finished, status 0; every line is JSON", async () => {
  const { child, ended, says } = server({ LOG_LEVEL: "debug" });
  const [, url = ""] = await says(listening);
  await ask(`${url}/v1/rest/week?x=1`, { headers: { "x-request-id": "from-a-proxy.7" } });
  const download = await beginDownload(url);
  child.kill("SIGTERM");
  await says(/"ending/);
  // Who was waiting to be accepted still is.
  const refusal = () =>
    ask(`${url}/health/live`).then(
      () => undefined,
      ({ code }: NodeJS.ErrnoException) => code,
    );
  await expect.poll(refusal).toMatch(/ECONNREFUSED|ECONNRESET/);
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
      msg: answered,
      requestId: "from-a-proxy.7",
      route: "/v1/rest/week",
      status: 200,
    }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ msg: answered, route: "/v1/rest/grades/raw", rows: 40_000 }));
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

describe("a signal right after the start: no error, status 0", () => {
  const errors = (err: string) =>
    err
      .split("\n")
      .filter((line) => /"level":"(error|warn|fatal)"|Error|^\s+at /.test(line) && !line.includes(`"msg":"${SLOW}"`));

  /** How often within a start: of each signal every other time. */
  const TIMES = isWhole ? 40 : 3;

  it("SIGTERM or SIGINT, earlier or later, until it listens", async () => {
    const began = performance.now();
    const whole = server();
    await whole.says(listening);
    const startMs = performance.now() - began;
    whole.child.kill("SIGTERM");
    await whole.ended;
    let whileStarting = 0;
    let listens = false;
    for (let n = 0; !listens; n++) {
      const ms = 50 + Math.round((n * startMs) / TIMES);
      const signal = n % 2 === 0 ? "SIGTERM" : "SIGINT";
      const { child, ended } = server();
      let said = "";
      child.stderr.on("data", (part: Buffer) => (said += part.toString()));
      await sleep(ms);
      listens = listening.test(said);
      child.kill(signal);
      const before = said;
      const { code, out, err } = await ended;
      expect([signal, ms, out, errors(err)]).toEqual([signal, ms, "", []]);
      // Before its first line runs, Node ends by the signal.
      if (code !== null || before !== "") expect([signal, ms, code]).toEqual([signal, ms, 0]);
      if (code === 0 && before === "") whileStarting++;
    }
    expect(whileStarting).toBeGreaterThan(0);
  });

  // The last signal of the test above comes when it listens.
  it.each(someOf([/"msg":"serving snapshot"/, listening], 1))("as soon as it says %s", async (form) => {
    for (let n = 0; n < (isWhole ? 5 : 1); n++) {
      const { child, ended, says } = server({ LOG_LEVEL: "debug" });
      await says(form);
      child.kill("SIGTERM");
      const { code, err } = await ended;
      expect([code, errors(err)]).toEqual([0, []]);
    }
  });

  it("with requests that wait for tables: they are answered", async () => {
    const { child, ended, says } = server();
    const [, url = ""] = await says(listening);
    const asked = ["/grades/aggregate", "/search?q=dance", "/courses/all"].map((path) => ask(`${url}/v1/rest${path}`));
    await new Promise((resolve) => setImmediate(resolve));
    await sleep(20);
    child.kill("SIGTERM");
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { code, err } = await ended;
    expect([code, errors(err)]).toEqual([0, []]);
  });

  const BUILDS = [
    ["a first build was interrupted", true],
    ["nothing is published", false],
  ] as const;
  it.each(someOf(BUILDS, 1))("during a build, as %s: the build ends too", async (_why, isInterrupted) => {
    const unbuilt = await openFolder();
    if (isInterrupted) {
      await publishRows(unbuilt.artifacts, {
        terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }],
      });
      await writeFreshness(unbuilt.artifacts, { ...NO_FRESHNESS, olderTerms: 9 });
    }
    const upstream = createServer().listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const { port } = upstream.address() as AddressInfo;
    const { child, ended } = start("server/main.ts", ["--build"], {
      ...unbuilt.env,
      HOST: "127.0.0.1",
      PORT: "0",
      SCHEDULE_URL: `http://127.0.0.1:${port}/`,
    });
    const [asking] = (await once(upstream, "connection")) as [Socket];
    asking.on("error", () => undefined);
    child.kill("SIGTERM");
    // The build's own process is gone.
    await once(asking.resume(), "close");
    const { code, err } = await ended;
    expect([code, errors(err)]).toEqual([0, []]);
    upstream.close();
    await unbuilt.remove();
  });
});

it("a start that fails says why in one sentence, status 2", async () => {
  const file = join(folder.data, "..", "a-file");
  await writeFile(file, "");
  const { code, out, err } = await server({ ARTIFACTS_DIR: file, LOG_LEVEL: "error" }).ended;
  expect([code, out, err]).toEqual([2, "", `ARTIFACTS_DIR must be a folder, not "${file}"\n`]);
});
