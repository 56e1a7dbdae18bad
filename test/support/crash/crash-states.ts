/**
 * All states that a power loss may leave of recorded work: after each of its notes, every subset of what was not synced may be lost. An entry of a folder is
 * durable once the folder is synced, the content of a file once the file is; a rename is one change. A file that was not synced is whole, empty or torn.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Note } from "./recorder.ts";

interface Folder {
  readonly id: number;
  readonly entries: Map<string, Node>;
}
interface File {
  readonly id: number;
  readonly content: Buffer;
}
interface Link {
  readonly id: number;
  readonly target: string;
}
type Node = Folder | File | Link;

/** Which node has a name in a folder from then on; null = none. */
interface Entry {
  readonly folder: number;
  readonly name: string;
  readonly node: number | null;
}

/** What one note changes, by nodes instead of paths. */
interface Change {
  readonly step: number;
  readonly entries: readonly Entry[];
}

export interface History {
  readonly initial: Folder;
  readonly nodes: ReadonlyMap<number, Node>;
  readonly changes: readonly Change[];
  /** When the content of a file was written, and when it was synced first; by node. */
  readonly written: ReadonlyMap<number, { readonly at: number; readonly synced: number }>;
  /** When each folder was synced. */
  readonly synced: ReadonlyMap<number, readonly number[]>;
  readonly steps: number;
}

/** @param root the folder in which the work was done; @param before the same folder as it was before */
export function historyOf(root: string, before: string, notes: readonly Note[]): History {
  const nodes = new Map<number, Node>();
  const add = <T extends Node>(make: (id: number) => T): T => {
    const node = make(nodes.size);
    nodes.set(node.id, node);
    return node;
  };
  const newFolder = (): Folder => add((id) => ({ id, entries: new Map() }));
  function read(path: string): Folder {
    const folder = newFolder();
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const at = join(path, entry.name);
      const node = entry.isDirectory()
        ? read(at)
        : entry.isSymbolicLink()
          ? add((id) => ({ id, target: readlinkSync(at) }))
          : add((id) => ({ id, content: readFileSync(at) }));
      folder.entries.set(entry.name, node);
    }
    return folder;
  }
  const initial = read(before);
  const now = clone(initial);
  const changes: Change[] = [];
  const written = new Map<number, { at: number; synced: number }>();
  const synced = new Map<number, number[]>();
  const partsOf = (path: string) =>
    path
      .slice(root.length + 1)
      .split("/")
      .filter(Boolean);
  const isInside = (path: string) => path === root || path.startsWith(`${root}/`);
  const folderAt = (path: string): Folder => {
    let at = now;
    for (const name of partsOf(path)) {
      const next = at.entries.get(name);
      if (!next || !("entries" in next)) throw new Error(`no folder ${path}`);
      at = next;
    }
    return at;
  };
  const set = (step: number, ...all: { in: Folder; name: string; node: Node | null }[]) => {
    for (const one of all)
      if (one.node) one.in.entries.set(one.name, one.node);
      else one.in.entries.delete(one.name);
    changes.push({
      step,
      entries: all.map((one) => ({ folder: one.in.id, name: one.name, node: one.node?.id ?? null })),
    });
  };
  const place = (path: string) => ({ in: folderAt(dirname(path)), name: basename(path) });
  const remove = (step: number, at: { in: Folder; name: string }) => {
    const node = at.in.entries.get(at.name);
    if (!node) return;
    if ("entries" in node) for (const name of [...node.entries.keys()]) remove(step, { in: node, name });
    set(step, { ...at, node: null });
  };
  for (const [step, note] of notes.entries()) {
    if (!isInside(note.path)) continue;
    switch (note.kind) {
      case "mkdir": {
        let at = now;
        for (const name of partsOf(note.path)) {
          let next = at.entries.get(name);
          if (!next) {
            next = newFolder();
            set(step, { in: at, name, node: next });
          }
          if (!("entries" in next)) throw new Error(`no folder ${note.path}`);
          at = next;
        }
        break;
      }
      case "write": {
        const { content } = note;
        const file = add((id) => ({ id, content }));
        written.set(file.id, { at: step, synced: Infinity });
        set(step, { ...place(note.path), node: file });
        break;
      }
      case "symlink": {
        const { target } = note;
        set(step, { ...place(note.path), node: add((id) => ({ id, target })) });
        break;
      }
      case "link": {
        // What is linked from elsewhere was durable there.
        const { content, from } = note;
        const node = isInside(from) ? nodeAt(from) : add((id) => ({ id, content }));
        set(step, { ...place(note.path), node });
        break;
      }
      case "rename": {
        const from = place(note.from);
        set(step, { ...from, node: null }, { ...place(note.path), node: nodeAt(note.from) });
        break;
      }
      case "rm":
        if (exists(dirname(note.path))) remove(step, place(note.path));
        break;
      case "syncFile": {
        const file = written.get(nodeAt(note.path).id);
        if (file) file.synced = Math.min(file.synced, step);
        break;
      }
      case "syncFolder": {
        const { id } = folderAt(note.path);
        synced.set(id, [...(synced.get(id) ?? []), step]);
        break;
      }
    }
  }
  return { initial, nodes, changes, written, synced, steps: notes.length };

  function nodeAt(path: string): Node {
    const { in: folder, name } = place(path);
    const node = folder.entries.get(name);
    if (!node) throw new Error(`nothing at ${path}`);
    return node;
  }
  function exists(path: string): boolean {
    try {
      folderAt(path);
      return true;
    } catch {
      return false;
    }
  }
}

/** The folders are copies of their own; files and links are the same. */
function clone(folder: Folder): Folder {
  const entries = new Map<string, Node>();
  for (const [name, node] of folder.entries) entries.set(name, "entries" in node ? clone(node) : node);
  return { id: folder.id, entries };
}

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

/** Every loss where there are at most `most`, else as many drawn from the seed: each step is hit, with everything and with nothing lost among them. */
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

/** What is on the disk after a loss: the text says what, so that equal states are looked at once. */
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
    const found = folders.get(id) ?? new Map<string, number>();
    folders.set(id, found);
    return found;
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
