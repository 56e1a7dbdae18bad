/** Reads the report of the pipeline's last run, without paths, credentials and stacks that its messages may contain. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunReport, runReport } from "../../pipeline/contract/documents/run-report.ts";

/** Reads the report, redacted; undefined when it is missing or invalid. */
export async function readLastRun(artifactsDir: string): Promise<RunReport | undefined> {
  try {
    return redactReport(runReport.parse(JSON.parse(await readFile(join(artifactsDir, "report.json"), "utf8"))));
  } catch {
    return undefined;
  }
}

const redactAll = (texts: readonly string[]): string[] => texts.map(redact);

function redactReport({ advice: _forTheOperator, ...report }: RunReport): RunReport {
  const reasons = (all: RunReport["products"][number]["dropped"]) =>
    all.map(({ reason, count, names }) => ({ reason: redact(reason), count, names: names.map(redact) }));
  return {
    ...report,
    source: Object.fromEntries(Object.entries(report.source).map(([system, from]) => [system, redact(from)])),
    products: report.products.map(({ error, ...product }) => ({
      ...product,
      dropped: reasons(product.dropped),
      noted: reasons(product.noted),
      damaged: product.damaged.map(redact),
      ...(error === undefined ? {} : { error: redact(error) }),
    })),
    ...(report.base ? { base: redactBase(report.base) } : {}),
    disk: { ...report.disk, problems: report.disk.problems.map(redact) },
    ...(report.history
      ? { history: { notes: redactAll(report.history.notes), problems: redactAll(report.history.problems) } }
      : {}),
    ...(report.backup
      ? {
          backup: {
            ...report.backup,
            repaired: redactAll(report.backup.repaired),
            problems: redactAll(report.backup.problems),
          },
        }
      : {}),
  };
}

const redactBase = ({ problem, ...base }: NonNullable<RunReport["base"]>): NonNullable<RunReport["base"]> => ({
  ...base,
  ...(problem === undefined ? {} : { problem: redact(problem) }),
});

/** Matches `file:` URLs and absolute paths with at least two segments, but not the path of a web URL. */
const DIRECTORIES = /file:\/\/\S*\/|(?<![\w:/.])(?:[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w.@+-])+[/\\]/g;
const CREDENTIALS = /(:\/\/)[^\s/@]+@/g;
const MAX_LENGTH = 500;

/** Returns the first line of a text, with paths reduced to their last segment. */
export const redact = (text: string): string =>
  (text.split("\n")[0] ?? "").replace(CREDENTIALS, "$1").replace(DIRECTORIES, "").slice(0, MAX_LENGTH);
