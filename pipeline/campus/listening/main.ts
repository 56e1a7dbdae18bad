/**
 * The campus as a separate process: `--size standard|full`, `--seed N`, `--port N`, `--now ISO` (a fixed clock). Prints
 * its addresses as a line of JSON when it listens; exits on SIGTERM or at the end of standard input, so that it never
 * outlives its parent.
 */
import { parseArgs } from "node:util";
import { DEFAULT_SEED, startCampus } from "./server.ts";
import { CAMPUS_SIZES } from "../../contract/sample-campus.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "standard" },
    seed: { type: "string", default: String(DEFAULT_SEED) },
    port: { type: "string", default: "0" },
    now: { type: "string" },
  },
});
const size = CAMPUS_SIZES.find((name) => name === values.size);
const port = Number(values.port);
const seed = Number(values.seed);
const moment = values.now === undefined ? undefined : new Date(values.now);
const usable = Number.isInteger(seed) && Number.isInteger(port) && port >= 0 && port < 65_536;
if (size === undefined || !usable || Number.isNaN(moment?.getTime() ?? 0)) {
  process.stderr.write(`usage: main.ts [--size ${CAMPUS_SIZES.join("|")}] [--seed N] [--port N] [--now ISO]\n`);
  process.exit(2);
}

const campus = await startCampus({
  size,
  seed,
  port,
  ...(moment === undefined ? {} : { clock: () => moment }),
});
let closing = false;
const stop = (): void => {
  if (closing) return;
  closing = true;
  void campus.close().then(() => process.exit(0));
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
process.stdin.on("end", stop).on("close", stop).on("error", stop);
process.stdin.resume();

process.stdout.write(`${JSON.stringify(campus.urls)}\n`);
