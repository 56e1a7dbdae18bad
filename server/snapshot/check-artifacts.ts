/** What would keep the server from ever finding data is said at its start, not by an empty service. */
import { readdir } from "node:fs/promises";
import { UsageError } from "../../pipeline/errors.ts";

/** A folder that is not there yet is no fault: data may come later. @throws UsageError */
export async function checkArtifacts(artifactsDir: string): Promise<void> {
  try {
    await readdir(artifactsDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new UsageError(`the artifacts folder ${artifactsDir} cannot be read (${code ?? "unknown reason"})`);
  }
}
