/** Finishes a take-down that a killed run left, before a run or any command that publishes. */
import { join } from "node:path";
import { finishForgetting, type ForgetOptions } from "../forget/forget.ts";
import { layoutOf } from "../store/layout.ts";
import type { Migrated } from "../migrations/migrate.ts";
import { REPORT_FILES } from "./run-report.ts";
import { goOnFromForgotten } from "./shared-store.ts";

/** Returns texts of the artifacts folder that may name people and exports. */
export const namingTexts = (artifactsDir: string): string[] => [
  ...REPORT_FILES.map((name) => join(artifactsDir, name)),
  layoutOf(artifactsDir).freshness,
];

/** Returns undefined when nothing was left to do. Requires the lock. @throws as finishForgetting */
export async function finishTakeDown(options: Omit<ForgetOptions, "texts" | "onStore">): Promise<Migrated | undefined> {
  const { artifactsDir, publishTo } = options.config;
  const outcome = await finishForgetting({
    ...options,
    texts: namingTexts(artifactsDir),
    onStore: (ids) => goOnFromForgotten(artifactsDir, publishTo, ids),
  });
  if (!outcome) return undefined;
  const done = outcome.problems.length === 0 ? ["what was taken down is gone everywhere"] : [];
  return { notes: done, problems: outcome.problems };
}
