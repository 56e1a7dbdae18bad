/** Reads the report of the pipeline's last run, without paths, credentials and stacks that its messages may contain. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunReport, runReport } from "../../pipeline/contract/documents/run-report.ts";

/** Reads the report with all of its texts redacted; undefined when it is missing or invalid. */
export async function readLastRun(artifactsDir: string): Promise<RunReport | undefined> {
  try {
    const text = await readFile(join(artifactsDir, "report.json"), "utf8");
    const { advice: _forTheOperator, ...report } = runReport.parse(
      JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? redact(value) : value)),
    );
    return report;
  } catch {
    return undefined;
  }
}

/** Matches `file:` URLs and absolute paths with at least two segments, but not the path of a web URL. */
const DIRECTORIES = /file:\/\/\S*\/|(?<![\w:/.])(?:[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w.@+-])+[/\\]/g;
const CREDENTIALS = /(:\/\/)[^\s/@]+@/g;
const MAX_LENGTH = 500;

/** Returns the first line of a text, with paths reduced to their last segment. */
export const redact = (text: string): string =>
  (text.split("\n")[0] ?? "").replace(CREDENTIALS, "$1").replace(DIRECTORIES, "").slice(0, MAX_LENGTH);
