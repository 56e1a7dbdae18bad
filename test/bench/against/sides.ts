/** The two commits that are compared: each one exported into a folder of its own, and used there as a newcomer does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FIRST_TERM } from "../../../pipeline/contract/vocabulary.ts";
import { freePort, readMemory, startServer, type MeasuredServer } from "../processes.ts";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const POLL_MS = 100;
/** A first start on a slow machine. */
const LONGEST_START_MS = 1_800_000;

export interface Side {
  /** A commit. */
  readonly name: string;
  /** Has `artifacts/` and `data/` of its own. */
  readonly root: string;
}

/** What a command and its children used. */
export interface Used {
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Resident memory of the command itself, at most. */
  readonly megabytes: number;
}

/** Exports the side's commit into an empty folder. Nothing is installed yet. */
export async function exportCommit({ name, root }: Side): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  await run("bash", ["-c", 'git archive "$1" | tar -x -C "$2"', "export", name, root], { root: REPOSITORY });
}

interface RunOptions {
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** @throws Error when the command fails */
export async function run(command: string, args: readonly string[], { env = {}, root }: RunOptions): Promise<Used> {
  const began = performance.now();
  // The shell counts the time of all processes that it waited for.
  const timed = ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "measure", command, ...args];
  const child = spawn("bash", timed, {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: "silent", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2000)));
  const ended = once(child, "exit") as Promise<[number | null]>;
  let megabytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const [pid] = await childrenOf(child.pid ?? 0);
    if (pid !== undefined) megabytes = Math.max(megabytes, (await readMemory(pid)).most || 0);
    await Promise.race([sleep(POLL_MS), ended]);
  }
  const [status] = await ended;
  const [user = NaN, system = NaN] = (errors.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  if (status !== 0) throw new Error(`${[command, ...args].join(" ")} failed: ${errors}`);
  return { seconds: (performance.now() - began) / 1000, processorSeconds: user + system, megabytes };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.split(" ").filter(Boolean).map(Number);
}

/** Runs a command of the compiled pipeline. */
export const runPipeline = ({ root }: Side, args: readonly string[], env: RunOptions["env"] = {}): Promise<Used> =>
  run("node", ["dist/current/pipeline/main.js", ...args], { root, env });

export const serve = ({ root }: Side, env: Readonly<Record<string, string>> = {}): Promise<MeasuredServer> =>
  startServer(join(root, "artifacts"), env, root);

/** The packages that are installed, those inside of others included. */
export async function countPackages({ root }: Side): Promise<number> {
  const list = await readFile(join(root, "node_modules/.package-lock.json"), "utf8");
  return Object.keys((JSON.parse(list) as { packages: object }).packages).length;
}

export interface FirstServe {
  readonly answeredSeconds: number;
  /** Until the oldest term is published, which is part of the last step. */
  readonly completeSeconds: number;
}

/** `make serve` in a folder where nothing is installed, with the packages that npm has in its cache. */
export async function firstServe({ root }: Side): Promise<FirstServe> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn("make", ["serve"], {
    cwd: root,
    env: { ...process.env, PORT: String(port), HOST: "127.0.0.1", LOG_LEVEL: "silent" },
    stdio: "ignore",
    detached: true,
  });
  const request = (path: string): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}/v1/rest${path}`).then(
      async (response) => (response.ok ? await response.json() : void (await response.arrayBuffer())),
      () => undefined,
    );
  const seconds = () => (performance.now() - began) / 1000;
  try {
    const answer = async (
      path: string,
      isEnough: (json: unknown) => boolean = (json) => json !== undefined,
    ): Promise<unknown> => {
      for (;;) {
        const json = await request(path);
        if (isEnough(json)) return json;
        if (child.exitCode !== null || seconds() * 1000 > LONGEST_START_MS) throw new Error("make serve has failed");
        await sleep(POLL_MS);
      }
    };
    await answer("/week");
    const [newest] = (await answer("/schedule/terms")) as { shortName: string }[];
    const [year, quarter] = newest?.shortName.split(" ") ?? [];
    await answer(`/schedule?year=${year}&quarter=${quarter}&cacheOnly=true`);
    const answeredSeconds = seconds();
    const oldest = `/schedule?year=${FIRST_TERM.year}&quarter=${FIRST_TERM.quarter}&cacheOnly=true`;
    await answer(oldest, (json) => ((json as { schools?: object[] } | undefined)?.schools ?? []).length > 0);
    return { answeredSeconds, completeSeconds: seconds() };
  } finally {
    // The server is a child of make.
    if (child.pid !== undefined && child.exitCode === null) {
      const ended = once(child, "exit");
      process.kill(-child.pid, "SIGTERM");
      await ended;
    }
  }
}
