/** A disk in memory, for tests of what is read and removed: text files, folders and links by path. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Entry, Disk } from "../../pipeline/disk/disk.ts";

type Node = Pick<Entry, "kind"> & { modifiedMs: number; content: string; inode: number };

export interface MemoryDisk extends Disk {
  /** The paths of all files and links. */
  paths(): string[];
  /** Adds a file, or another name of one that is there. */
  put(path: string, content: string, sameAs?: string): void;
  putLink(path: string, target: string): void;
  setTime(path: string, modifiedMs: number): void;
}

export function memoryDisk(): MemoryDisk {
  const nodes = new Map<string, Node>();
  /** The names in each folder, and how many names each inode has. */
  const [names, links] = [new Map<string, Set<string>>(), new Map<number, number>()];
  let inodes = 0;
  const count = (inode: number, more: number) => links.set(inode, (links.get(inode) ?? 0) + more);
  const drop = (path: string): void => {
    const node = nodes.get(path);
    if (!node) return;
    nodes.delete(path);
    count(node.inode, -1);
    names.get(posix.dirname(path))?.delete(posix.basename(path));
  };
  const set = (path: string, node: Node): void => {
    drop(path);
    nodes.set(path, node);
    count(node.inode, 1);
    const above = posix.dirname(path);
    if (above === path) return;
    const siblings = names.get(above) ?? new Set();
    names.set(above, siblings.add(posix.basename(path)));
  };
  const add = (path: string, kind: Entry["kind"], content = "", inode = ++inodes): void => {
    const above = posix.dirname(path);
    if (above !== path && !nodes.has(above)) add(above, "folder");
    set(path, { kind, content, inode, modifiedMs: 0 });
  };
  /** The path and all paths below it, the deepest last. */
  const below = (path: string): string[] => [
    ...(nodes.has(path) ? [path] : []),
    ...[...(names.get(path) ?? [])].flatMap((name) => below(posix.join(path, name))),
  ];
  const inFolder = (path: string): string => {
    const above = posix.dirname(path);
    if (nodes.get(above)?.kind !== "folder") throw missing(above);
    return path;
  };
  const absent = (path: string): string => {
    if (nodes.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: "EEXIST" });
    return path;
  };
  const copy = async (from: string, to: string) => add(inFolder(absent(to)), "file", nodeAt(from).content);
  const missing = (path: string) => Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
  const nodeAt = (path: string): Node => {
    const node = nodes.get(path);
    if (!node) throw missing(path);
    return node;
  };
  const contentAt = (path: string): string => {
    const { kind, content } = nodeAt(path);
    if (kind === "folder") throw Object.assign(new Error(`EISDIR: ${path}`), { code: "EISDIR" });
    return content;
  };
  return {
    writtenBy: () => Promise.reject(new Error("no database writes to the disk in memory")),
    async digest(path) {
      const { content } = nodeAt(path);
      return { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length };
    },
    writeFile: async (path, content) => add(inFolder(absent(path)), "file", String(content)),
    link: async (existing, path) => set(inFolder(absent(path)), nodeAt(existing)),
    copyFile: copy,
    copyBytes: copy,
    symlink: async (target, path) => add(inFolder(absent(path)), "link", target),
    touch: async (path, when) => void (nodeAt(path).modifiedMs = when.getTime()),
    readFile: async (path) => contentAt(path),
    readBytes: async (path) => Buffer.from(contentAt(path)),
    readlink: async (path) => nodeAt(path).content,
    readdir: async (folder) => [...(names.get(folder) ?? [])].sort(),
    async stat(path) {
      const node = nodes.get(path);
      return node && { ...node, bytes: node.content.length, device: 1, links: links.get(node.inode) ?? 0 };
    },
    async mkdir(path) {
      if (!nodes.has(path)) add(path, "folder");
    },
    async rm(path) {
      for (const inner of below(path)) drop(inner);
    },
    async rename(from, to) {
      nodeAt(from);
      for (const inner of below(from)) {
        const node = nodeAt(inner);
        drop(inner);
        set(to + inner.slice(from.length), node);
      }
    },
    syncFile: async (path) => void nodeAt(path),
    syncFolder: async (path) => void nodeAt(path),
    paths: () => [...nodes].flatMap(([path, { kind }]) => (kind === "folder" ? [] : [path])).sort(),
    put: (path, content, sameAs) => add(path, "file", content, sameAs === undefined ? undefined : nodeAt(sameAs).inode),
    putLink: (path, target) => add(path, "link", target),
    setTime: (path, modifiedMs) => set(path, { ...nodeAt(path), modifiedMs }),
  };
}
