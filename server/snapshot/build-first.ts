/** `make serve` on a machine without published data: the pipeline builds it before the server starts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { readCurrentName, readUnverified } from "./generation.ts";

/**
 * Runs the pipeline's `ensure` unless the current generation is there. `program` is the path of the running server.
 * @returns the pipeline's exit status
 */
export async function buildFirst(artifactsDir: string, program: string): Promise<number> {
  const current = await readCurrentName(artifactsDir);
  const isThere =
    current !== undefined &&
    (await readUnverified(artifactsDir, current).then(
      () => true,
      () => false,
    ));
  if (isThere) return 0;
  const pipeline = join(program, "../../pipeline", `main${extname(program)}`);
  const child = spawn(process.execPath, [...process.execArgv, pipeline, "ensure"], { stdio: "inherit" });
  const [status] = (await once(child, "exit")) as [number | null];
  return status ?? 1;
}
