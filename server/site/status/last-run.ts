/** What the pipeline's last run said about itself. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunReport, runReport } from "../../../pipeline/contract/run-report.ts";
import { plainWords } from "./redact.ts";

/** Reads the published report, in words that clients may see; undefined when there is none or it cannot be read. */
export async function readLastRun(artifactsDir: string): Promise<RunReport | undefined> {
  try {
    return withPlainWords(runReport.parse(JSON.parse(await readFile(join(artifactsDir, "report.json"), "utf8"))));
  } catch {
    return undefined;
  }
}

const plain = (all: readonly string[]): string[] => all.map(plainWords);

function withPlainWords(report: RunReport): RunReport {
  const reasons = (all: RunReport["products"][number]["dropped"]) =>
    all.map(({ reason, count, names }) => ({ reason: plainWords(reason), count, names: names.map(plainWords) }));
  return {
    ...report,
    source: Object.fromEntries(Object.entries(report.source).map(([system, from]) => [system, plainWords(from)])),
    products: report.products.map(({ error, ...product }) => ({
      ...product,
      dropped: reasons(product.dropped),
      noted: reasons(product.noted),
      damaged: product.damaged.map(plainWords),
      ...(error === undefined ? {} : { error: plainWords(error) }),
    })),
    ...(report.base ? { base: baseOf(report.base) } : {}),
    disk: { ...report.disk, problems: report.disk.problems.map(plainWords) },
    ...(report.history
      ? { history: { notes: plain(report.history.notes), problems: plain(report.history.problems) } }
      : {}),
    ...(report.backup
      ? {
          backup: {
            ...report.backup,
            repaired: plain(report.backup.repaired),
            problems: plain(report.backup.problems),
          },
        }
      : {}),
  };
}

const baseOf = ({ problem, ...base }: NonNullable<RunReport["base"]>): NonNullable<RunReport["base"]> => ({
  ...base,
  ...(problem === undefined ? {} : { problem: plainWords(problem) }),
});
