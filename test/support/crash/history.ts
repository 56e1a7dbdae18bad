/** Recorded work by nodes instead of paths: what each note changed in which folder, and when that was synced. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Note } from "./recorder.ts";

export interface Folder {
  readonly id: number;
  readonly entries: Map<string, Node>;
}
export interface File {
  readonly id: number;
  readonly content: Buffer;
}
export interface Link {
  readonly id: number;
  readonly target: string;
}
export type Node = Folder | File | Link;

/** Which node has a name in a folder from then on; null = none. */
export interface Entry {
  readonly folder: number;
  readonly name: string;
  readonly node: number | null;
}

/** The changes of a note, by nodes instead of paths. */
export interface Change {
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
    for (const link of all)
      if (link.node) link.in.entries.set(link.name, link.node);
      else link.in.entries.delete(link.name);
    changes.push({
      step,
      entries: all.map((link) => ({ folder: link.in.id, name: link.name, node: link.node?.id ?? null })),
    });
  };
  const makeFolder = (step: number, path: string) => {
    let at = now;
    for (const name of partsOf(path)) {
      let next = at.entries.get(name);
      if (!next) {
        next = newFolder();
        set(step, { in: at, name, node: next });
      }
      if (!("entries" in next)) throw new Error(`no folder ${path}`);
      at = next;
    }
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
      case "mkdir":
        makeFolder(step, note.path);
        break;
      case "write": {
        const { content } = note;
        // A folder for what is thrown away may have been made without the disk.
        makeFolder(step, dirname(note.path));
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
        // Content that is linked from elsewhere was durable there.
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
