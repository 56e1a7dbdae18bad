/** schemathesis against the OpenAPI document: all checks, positive and negative data, in both modes of the server. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { endpoints } from "../../server/endpoints/all.ts";
import { serve } from "../support/whole-run.ts";

export interface SchemathesisResult {
  readonly compat: string;
  /** The tool's own summary. */
  readonly summary: string;
  readonly problem: string | undefined;
}

export async function runSchemathesis(
  env: Record<string, string>,
  bin: string,
  examples: number,
): Promise<SchemathesisResult[]> {
  const results: SchemathesisResult[] = [];
  for (const COMPAT of ["0", "1"]) {
    const server = await serve({ ...env, COMPAT });
    const each = String(Math.ceil(examples / endpoints.length));
    const args = ["run", `${server.url}/v1/openapi.json`, "--checks", "all", "--mode", "all", "--max-examples", each];
    try {
      const ran = await promisify(execFile)(join(bin, "schemathesis"), [...args, "--seed", "1", "--no-color"], {
        timeout: 3_000_000,
        maxBuffer: 1 << 28,
      });
      results.push({ compat: COMPAT, summary: summaryOf(ran.stdout), problem: undefined });
    } catch (error) {
      const { stdout = "", message } = error as Error & { stdout?: string };
      results.push({ compat: COMPAT, summary: summaryOf(stdout), problem: stdout.slice(-6000) || message });
    } finally {
      await server.close();
    }
  }
  return results;
}

/** Such as `12034 generated, 12034 passed`. */
function summaryOf(output: string): string {
  return (
    /^\s*(\d+ generated.*)$/m.exec(output)?.[1]?.trim() ??
    output.trim().split("\n").at(-1)?.replaceAll("=", "").trim() ??
    ""
  );
}
