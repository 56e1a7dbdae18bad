/** Tries states that a power loss may leave of a piece of work. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leftAfter, type Loss, lossesOf } from "../../support/crash/crash-states.ts";
import { historyOf } from "../../support/crash/history.ts";
import { recordingDisk } from "../../support/crash/recorder.ts";
import type { Work } from "./crash-work.ts";

export interface Tried {
  /** The total number of losses. */
  readonly all: bigint;
  readonly losses: number;
  /** States that differ. */
  readonly states: number;
  readonly broken: readonly string[];
}

/**
 * @param most losses to try at most; above that they are drawn from the seed
 * @param only replays one loss
 */
export async function tryLosses(
  work: Work,
  scratch: string,
  { most, seed, only }: { most: number; seed: number; only?: Loss },
): Promise<Tried> {
  const root = join(scratch, `${work.name.replaceAll(" ", "-")}-recorded`);
  cpSync(work.before, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const { disk, notes } = recordingDisk();
  await work.act(root, disk);
  const history = historyOf(root, work.before, notes);
  const { all, losses } = only ? { all: 1n, losses: [only] } : lossesOf(history, most, seed);
  const seen = new Set<string>();
  const broken: string[] = [];
  for (const loss of losses) {
    const left = leftAfter(history, loss);
    if (seen.has(left.key)) continue;
    seen.add(left.key);
    const at = join(scratch, `state-${seen.size}`);
    left.write(at);
    const problems = await work.problems(at).catch((error: unknown) => [String(error)]);
    const note = notes[loss.step - 1];
    for (const problem of problems)
      broken.push(
        `${work.name}, step ${loss.step} of ${notes.length} (after ${note?.kind} ${note?.path.slice(root.length)}), choice ${loss.choice}: ${problem}`,
      );
    rmSync(at, { recursive: true, force: true });
  }
  rmSync(root, { recursive: true });
  return { all, losses: losses.length, states: seen.size, broken };
}
