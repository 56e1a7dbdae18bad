/** The load of wrk, where it is installed: it takes less of the processor than a program in JavaScript, which leaves more to the server. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Asking, type Load, putLoad } from "./load.ts";

let installed: Promise<boolean> | undefined;

export const hasWrk = (): Promise<boolean> =>
  (installed ??= promisify(execFile)("wrk", ["--version"]).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  ));

/** wrk counts in whole seconds. */
export const SHORTEST_MS = 1000;
const SIZED_ANSWERS = 50;

const luaText = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

const toScript = (paths: readonly string[]): string => `
local paths = {${paths.map(luaText).join(",")}}
local asked = 0
request = function()
  asked = asked + 1
  return wrk.format("GET", paths[(asked - 1) % #paths + 1])
end
done = function(summary, latency)
  local errors = summary.errors
  print(string.format("RESULT %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;

/** Asks the paths in turn, again and again, for `ms` in whole seconds. A 304 counts as an answer. */
export async function putWrk({ base, paths, connections, ms, headers = {} }: Asking): Promise<Load> {
  const sized = paths.slice(0, SIZED_ANSWERS);
  const { bytes } = await putLoad({ base, paths: sized, connections: 1, ms: 10_000, once: true, headers });
  const folder = await mkdtemp(join(tmpdir(), "academic-wrk-"));
  try {
    const script = join(folder, "load.lua");
    await writeFile(script, toScript(paths));
    const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const seconds = Math.max(1, Math.round(ms / 1000));
    const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", ...given, "-s", script, base];
    const { stdout } = await promisify(execFile)("wrk", args, { maxBuffer: 1 << 20 });
    const result = /^RESULT ([\d ]+)$/m.exec(stdout)?.[1]?.split(" ").map(Number);
    if (!result) throw new Error(`wrk gave no result: ${stdout.slice(-500)}`);
    const [answers = 0, microseconds = 0, p50 = 0, p99 = 0, failures = 0] = result;
    const took = microseconds / 1e6;
    return { answers, perSecond: answers / took, p50: p50 / 1000, p99: p99 / 1000, bytes, failures, seconds: took };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
