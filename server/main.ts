/**
 * Serves the published data: `make serve`, or `npm run -s serve` for data that is already published. With `--check` it
 * exits as soon as it could serve. The program is loaded after signal handlers are installed, because a signal may
 * arrive at any time.
 */
import { constants } from "node:os";
import { setFlagsFromString } from "node:v8";
import type { Build } from "./snapshot/startup.ts";

type Signal = "SIGTERM" | "SIGINT";

const ending = new AbortController();
/** Shuts down whatever has been started; replaced as the start proceeds. */
let end = (): Promise<unknown> => Promise.resolve();
/** The build that goes on while older terms are missing. */
let build: Build | undefined;

function stop(signal: Signal): void {
  // A second signal exits immediately.
  if (ending.signal.aborted) process.exit(128 + constants.signals[signal]);
  ending.abort();
  Promise.all([build?.stop(), end()]).then(
    () => process.exit(0),
    (error: unknown) => fail(error, 1),
  );
}

/**
 * Sets how much the young generation grows when objects survive. Nearly everything that a start allocates stays: a
 * larger young generation would free no more of it, and would keep its pages.
 */
const growYoungGeneration = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

async function main(program: string): Promise<void> {
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  growYoungGeneration(1);
  try {
    const { readServerConfig } = await import("../pipeline/settings/server.ts");
    const { checkServing, startServer } = await import("./server.ts");
    const config = readServerConfig(process.env);
    if (process.argv.includes("--check")) {
      const problem = await checkServing(config);
      if (problem !== undefined) fail(problem, 1);
      process.exit(0);
    }
    if (process.argv.includes("--build")) {
      const { checkAddress } = await import("./http/listening.ts");
      const { startBuild } = await import("./snapshot/startup.ts");
      // Report a wrong configuration before a build that takes minutes.
      await checkAddress(config);
      build = await startBuild(config.artifactsDir, program);
      const status = await build?.published;
      if (ending.signal.aborted) return;
      if (status) process.exit(status);
    }
    const starting = startServer(config);
    end = async () => (await starting).close();
    const { introduction, notServed } = await starting;
    void notServed().finally(() => growYoungGeneration(2));
    if (process.stdout.isTTY) process.stdout.write(introduction());
  } catch (error) {
    fail(error, 2);
  }
}

function fail(error: unknown, status: number): never {
  const message = error instanceof Error ? error.message : String(error);
  void build?.stop();
  process.stderr.write(`${message.split("\n")[0]}\n`);
  process.exit(status);
}

await main(process.argv[1] ?? "");
