/**
 * A process that takes the lock in argv[2], prints `held` and stays until it is killed; with argv[3] it prints why not
 * and ends.
 */
import { acquireLock } from "../../../pipeline/disk/lock.ts";

try {
  const lock = await acquireLock(process.argv[2] ?? "", { beatMs: 50, leaseMs: Number(process.argv[3] ?? 1000) });
  process.stdout.write("held\n");
  process.on("SIGTERM", () => {
    void lock.release().then(() => process.stdout.write("released\n"));
    clearInterval(alive);
  });
} catch (error) {
  process.stdout.write(`${(error as Error).name}\n`);
  process.exit(3);
}
// The heartbeat alone does not keep a process alive.
const alive = setInterval(() => undefined, 1000);
