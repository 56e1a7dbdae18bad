/**
 * Starts the pipeline. Exit status: 0 published or unchanged, 1 a product failed, 2 bad configuration or usage, 3
 * another run holds the lock. The commands are loaded from here, so that whatever keeps them from being loaded is told
 * in a sentence.
 */
import { LockedError, UsageError } from "./errors.ts";

const OK = 0;
const FAILED = 1;
const USAGE = 2;
const LOCKED = 3;

async function main(): Promise<number> {
  try {
    const { runCommand } = await import("./commands.ts");
    return (await runCommand(process.env)) ? OK : FAILED;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const advice = message.includes("EMFILE") ? "; allow more open files, such as by `ulimit -n 1024`" : "";
    if (message !== "") process.stderr.write(`${message}${advice}\n`);
    if (error instanceof UsageError) return USAGE;
    if (error instanceof LockedError) return LOCKED;
    return FAILED;
  }
}

process.exitCode = await main();
