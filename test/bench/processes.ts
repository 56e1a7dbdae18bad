/** The processes of the benchmark: the server as users start it, and its neighbours. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const LONGEST_START_MS = 120_000;
const LOOK_MS = 5;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface MeasuredServer {
  readonly base: string;
  readonly pid: number;
  /** The time from the start of the process to its first response with data. */
  readonly startMs: number;
  /** Resident memory, now and at most, in MB. */
  readMemory(): Promise<{ now: number; most: number }>;
  /** User and system time so far. */
  readProcessorSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the server of a checkout as `make serve` does, once everything is compiled. */
export async function startServer(
  artifacts: string,
  more: Readonly<Record<string, string>> = {},
  root = ROOT,
): Promise<MeasuredServer> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const settings = { ARTIFACTS_DIR: artifacts, PORT: String(port), HOST: "127.0.0.1", LOG_LEVEL: "warn", ...more };
  const began = performance.now();
  const child = spawn(process.execPath, ["dist/current/server/main.js"], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await hasData(base))) {
    if (child.exitCode !== null || performance.now() - began > LONGEST_START_MS) {
      child.kill();
      throw new Error("the server does not respond");
    }
    await sleep(LOOK_MS);
  }
  return {
    ...{ base, pid: child.pid ?? 0, startMs: performance.now() - began },
    readMemory: () => readMemory(child.pid ?? 0),
    readProcessorSeconds: () => readProcessorSeconds(child.pid ?? 0),
    stop: () => stop(child),
  };
}

const hasData = (base: string): Promise<boolean> =>
  fetch(`${base}/v1/rest/schedule/terms`).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );

/** Resident memory of a process, now and at most, in MB; NaN once it has ended. */
export async function readMemory(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000);
  return { now: read("VmRSS"), most: read("VmHWM") };
}

/** The clock of /proc ticks so often a second. */
const TICKS = 100;

async function readProcessorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

export interface Neighbour {
  readonly base: string;
  /** Sends a message, and waits for the reply. */
  tell(message: object): Promise<void>;
  stop(): Promise<void>;
}

/** A server beside this file that is compared with. */
export async function startNeighbour(name: string, args: readonly string[] = []): Promise<Neighbour> {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), args, {
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${name} has ended`)));
  ended.catch(() => undefined);
  const reply = async () => {
    const [message] = (await Promise.race([once(child, "message"), ended])) as [string];
    return message;
  };
  return {
    base: await reply(),
    async tell(message) {
      const replied = reply();
      child.send(message);
      await replied;
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
