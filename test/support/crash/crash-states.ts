/**
 * All states that a power loss may leave of recorded work: after each of its notes, every subset of unsynced changes
 * may be lost. An entry of a folder is durable once the folder is synced, the content of a file once the file is; a
 * rename is a single change. A file that was not synced is whole, empty or torn.
 */
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change, File, Folder, History, Node } from "./history.ts";

/** A power loss before step `step`. `choice` picks what of that which was not synced is lost. */
export interface Loss {
  readonly step: number;
  readonly choice: bigint;
}

interface Open {
  /** Changes of entries that may be lost. */
  readonly changes: readonly number[];
  /** Files whose content may be lost or torn. */
  readonly files: readonly number[];
}

function openAt({ changes, synced, written }: History, step: number): Open {
  const isDurable = ({ entries, step: made }: Change) =>
    entries.some(({ folder }) => (synced.get(folder) ?? []).some((at) => at > made && at < step));
  return {
    changes: changes.flatMap((change, index) => (change.step < step && !isDurable(change) ? [index] : [])),
    files: [...written].flatMap(([id, file]) => (file.at < step && file.synced >= step ? [id] : [])),
  };
}

const countAt = ({ changes, files }: Open): bigint => 2n ** BigInt(changes.length) * 3n ** BigInt(files.length);

/**
 * Every loss if there are at most `most`, else that many drawn from the seed: each step is hit, with everything and
 * with nothing lost among them.
 */
export function lossesOf(history: History, most: number, seed: number): { losses: Loss[]; all: bigint } {
  const counts = Array.from({ length: history.steps + 1 }, (_, step) => countAt(openAt(history, step)));
  const all = counts.reduce((sum, count) => sum + count, 0n);
  if (all <= BigInt(most))
    return {
      all,
      losses: counts.flatMap((count, step) =>
        Array.from({ length: Number(count) }, (_, n) => ({ step, choice: BigInt(n) })),
      ),
    };
  const share = Math.max(1, Math.floor(most / counts.length));
  const losses = counts.flatMap((count, step) => {
    if (count <= BigInt(share)) return Array.from({ length: Number(count) }, (_, n) => ({ step, choice: BigInt(n) }));
    const ends = share === 1 ? [] : [0n, count - 1n];
    const drawn = Array.from({ length: share - ends.length }, (_, n) => drawnBelow(count, `${seed} ${step} ${n}`));
    return [...new Set([...ends, ...drawn])].map((choice) => ({ step, choice }));
  });
  return { losses: most < counts.length ? thinned(losses, most) : losses, all };
}

const thinned = <T>(all: readonly T[], most: number): T[] =>
  Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)] as T);

function drawnBelow(count: bigint, text: string): bigint {
  return BigInt(`0x${createHash("sha512").update(text).digest("hex")}`) % count;
}

/** The state of the disk after a loss, with a text of it, so that equal states are checked once. */
export interface Left {
  readonly key: string;
  write(to: string): void;
}

export function leftAfter(history: History, { choice, step }: Loss): Left {
  const open = openAt(history, step);
  const lost = new Set<number>();
  const fates = new Map<number, number>();
  let rest = choice;
  const next = (of: bigint): number => {
    const taken = Number(rest % of);
    rest /= of;
    return taken;
  };
  for (const index of open.changes) if (next(2n) === 1) lost.add(index);
  for (const id of open.files) fates.set(id, next(3n));

  const folders = new Map<number, Map<string, number>>();
  const fill = (folder: Folder): void => {
    folders.set(folder.id, new Map([...folder.entries].map(([name, node]) => [name, node.id])));
    for (const node of folder.entries.values()) if ("entries" in node) fill(node);
  };
  fill(history.initial);
  const entriesOf = (id: number): Map<string, number> => {
    const folder = folders.get(id) ?? new Map<string, number>();
    folders.set(id, folder);
    return folder;
  };
  for (const [index, change] of history.changes.entries()) {
    if (change.step >= step || lost.has(index)) continue;
    for (const { folder, name, node } of change.entries)
      if (node === null) entriesOf(folder).delete(name);
      else entriesOf(folder).set(name, node);
  }
  const contentOf = ({ content, id }: File): Buffer => {
    const fate = fates.get(id) ?? 0;
    return fate === 0 ? content : content.subarray(0, fate === 1 ? 0 : Math.floor(content.length / 2));
  };
  const lines: string[] = [];
  const visit = (
    id: number,
    at: string,
    use: (path: string, node: Node) => void,
    above: readonly number[] = [],
  ): void => {
    for (const [name, inner] of [...entriesOf(id)].sort()) {
      const node = history.nodes.get(inner);
      if (!node || above.includes(inner)) continue;
      use(join(at, name), node);
      if ("entries" in node) visit(inner, join(at, name), use, [...above, inner]);
    }
  };
  visit(history.initial.id, "", (path, node) => {
    const what = "content" in node ? `${node.id} ${fates.get(node.id) ?? 0}` : "target" in node ? node.target : "";
    lines.push(`${path} ${what}`);
  });
  return {
    key: createHash("sha256").update(lines.join("\n")).digest("hex"),
    write(to) {
      mkdirSync(to, { recursive: true });
      visit(history.initial.id, to, (path, node) => {
        if ("entries" in node) mkdirSync(path, { recursive: true });
        else if ("target" in node) symlinkSync(node.target, path);
        else writeFileSync(path, contentOf(node));
      });
    },
  };
}
