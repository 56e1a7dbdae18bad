/** A cache of others that runs in the foreground before a server, with a folder and a port of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir } from "node:fs/promises";
import { request } from "node:http";
import { promisify } from "node:util";
import { freePort } from "../support/balancer.ts";

export const run = promisify(execFile);
/** The path that includes Debian's folder for servers. */
const WITH_SBIN = { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` };

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** Milliseconds until the first part of the body. */
  readonly firstMs: number;
}

/** A cache that runs. */
export interface RunningCache {
  /** @param isWhole false ends with the first part of a body that has no end */
  get(path: string, headers?: Readonly<Record<string, string>>, isWhole?: boolean): Promise<Reply>;
  close(): Promise<void>;
}

export interface CacheProgram {
  readonly name: string;
  /** The Debian package; undefined for a package of npm. */
  readonly debian?: string;
  /** False where nothing is kept whose `Vary` names more than `Accept-Encoding`. */
  readonly keepsVary: boolean;
  version(): Promise<string>;
  /** @param origin the port of the server on this machine */
  open(origin: number, folder: string): Promise<RunningCache>;
}

/** Starts a proxy on a port. */
type Start = (place: { readonly port: number; readonly origin: number; readonly folder: string }) => Promise<{
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}>;

function get(url: string, headers: Readonly<Record<string, string>> = {}, isWhole = true): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(url, { headers, agent: false, timeout: 20_000 }, (response) => {
      const parts: Buffer[] = [];
      let firstMs = Infinity;
      const end = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts), firstMs });
      response.on("data", (part: Buffer) => {
        if (parts.push(part) === 1) firstMs = performance.now() - began;
        if (!isWhole) {
          end();
          sent.destroy();
        }
      });
      response.on("end", end);
    });
    sent.on("timeout", () => sent.destroy(new Error(`${url}: nothing in 20 seconds`)));
    sent.on("error", reject);
    sent.end();
  });
}

export const opened =
  (start: Start): CacheProgram["open"] =>
  async (origin, folder) => {
    await mkdir(folder, { recursive: true });
    // Some of them give up the rights of root.
    await chmod(folder, 0o777);
    const port = await freePort();
    const { command, args, env = {} } = await start({ port, origin, folder });
    const child = spawn(command, args, {
      env: { ...process.env, ...WITH_SBIN, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let reported = "";
    child.stderr.on("data", (part: Buffer) => (reported = `${reported}${part.toString()}`.slice(-2000)));
    const url = `http://127.0.0.1:${port}`;
    for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
      if ((await get(`${url}/health/live`).catch(() => undefined))?.status === 200)
        return { get: (path, headers, isWhole) => get(url + path, headers, isWhole), close: () => stop(child) };
      await sleep(100);
    }
    await stop(child);
    throw new Error(`${command} did not start: ${reported.trim().split("\n").slice(-3).join(" ")}`);
  };

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill();
  await Promise.race([closed, sleep(10_000).then(() => child.kill("SIGKILL"))]);
}

/** The first version in what a command writes. */
export const versionOf =
  (command: string, ...args: string[]) =>
  async (): Promise<string> => {
    const { stdout, stderr } = await run(command, args, {
      env: { ...process.env, ...WITH_SBIN },
    });
    return /\d+\.\d+(?:\.\d+)?/.exec(stdout + stderr)?.[0] ?? "";
  };
