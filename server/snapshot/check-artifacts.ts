/** Fails startup when the artifacts directory is unusable. */
import { readdir } from "node:fs/promises";
import { UsageError } from "../../pipeline/errors.ts";

/** A missing directory is accepted: data may come later. @throws UsageError */
export async function checkArtifacts(artifactsDir: string): Promise<void> {
  try {
    await readdir(artifactsDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new UsageError(`the artifacts folder ${artifactsDir} cannot be read (${code ?? "unknown reason"})`);
  }
}
