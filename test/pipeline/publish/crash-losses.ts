/** Tries states that a kill, a power loss or an error of the disk may leave of a piece of work. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leftAfter, type Loss, lossesOf } from "../../support/crash/crash-states.ts";
import { historyOf } from "../../support/crash/history.ts";
import { CODES, failingDisk, type Failure } from "../../support/crash/failing-disk.ts";
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
 * @param kills so many besides lose nothing: the process ends after removals and renames that lie equally far apart
 * @param only replays one loss
 */
export async function tryLosses(
  work: Work,
  scratch: string,
  { kills = 0, most, only, seed }: { kills?: number; most: number; seed: number; only?: Loss },
): Promise<Tried> {
  const root = copyOf(work, scratch);
  const { disk, notes } = recordingDisk();
  await work.act(root, disk);
  const history = historyOf(root, work.before, notes);
  const { all, losses } = only ? { all: 1n, losses: [only] } : lossesOf(history, most, seed);
  const after = notes.flatMap(({ kind }, step) => (kind === "rm" || kind === "rename" ? [step + 1] : []));
  const count = Math.min(kills, after.length);
  for (let n = 0; n < count; n++)
    losses.push({ step: after[Math.floor(((n + 0.5) * after.length) / count)] ?? 0, choice: 0n });
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

/**
 * Tries errors of the disk, each one change that fails while the work goes on or gives up. Where there are more than
 * `most`, of changes alike, such as the links of a folder, the last one is tried, and those around the last switch of
 * a pointer.
 */
export async function tryErrors(
  work: Work,
  scratch: string,
  { most }: { readonly most: number },
): Promise<{ readonly all: number; readonly broken: readonly string[]; readonly tried: number }> {
  if (most === 0) return { all: 0, broken: [], tried: 0 };
  const traced = failingDisk();
  const root = copyOf(work, scratch);
  await work.act(root, traced.disk);
  rmSync(root, { recursive: true });
  const { changes } = traced;
  const flip = changes.findLastIndex((change) => /^rename .*current\.json$/.test(change));
  const all = changes.flatMap((_, step) => CODES.map((code): Failure => ({ step, code })));
  const kinds = new Map(
    changes.map((change, step) => [change.replace(root, "").replaceAll(/[0-9a-f-]{8,}/g, ""), step]),
  );
  const codeOf = (change: string) => (/^(sync|rm)/.test(change) ? "EIO" : "ENOSPC");
  const last = [...kinds].map(([change, step]): Failure => ({ step, code: codeOf(change) }));
  const some = most < all.length ? last : all;
  const count = Math.min(most, some.length);
  const even = Array.from({ length: count }, (_, n) => some[Math.floor(((n + 0.5) * some.length) / count)] as Failure);
  const around = flip < 0 || most < 3 ? [] : [flip, flip + 1].map((step): Failure => ({ step, code: "ENOSPC" }));
  const tried = [...even, ...around, ...(most < 3 ? [] : [{ step: Math.floor(flip / 2), code: "EROFS" } as const])];
  const broken: string[] = [];
  for (const failure of tried) {
    const left = copyOf(work, scratch);
    const isDone = await work.act(left, failingDisk(failure).disk).then(
      () => true,
      () => false,
    );
    for (const problem of await work.problems(left, isDone).catch((error: unknown) => [String(error)]))
      broken.push(`${work.name}, ${failure.code} in change ${failure.step} (${changes[failure.step]}): ${problem}`);
    rmSync(left, { recursive: true, force: true });
  }
  return { all: all.length, broken, tried: tried.length };
}

function copyOf({ before, name }: Work, scratch: string): string {
  const root = join(scratch, `${name.replaceAll(" ", "-")}-copied`);
  cpSync(before, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return root;
}
