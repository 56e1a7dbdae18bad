/**
 * The list of what was taken down, `data/forgotten.json`. It holds no name: people are HMAC-SHA-256 hashes under a key of the list's own, so that whoever has
 * the list can ask whether a name is in it, and cannot read one off. Exports are the hashes of their content.
 */
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import type { DiskReader } from "../generations/disk-reader.ts";
import { hasCode } from "../generations/disk-reader.ts";
import type { Disk } from "../publish/disk.ts";
import { replaceFile } from "../publish/replace-file.ts";
import { toShortName } from "../normalize/people/short-name.ts";
import { nameForm } from "./name-form.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const tombstones = z.object({
  key: hash,
  people: z.array(hash),
  exports: z.array(hash),
  /** The mark of the list as it was last applied everywhere; another one is to be finished by the next run. */
  done: z.string().nullable(),
});
export type Tombstones = z.infer<typeof tombstones>;

/** What identifies a person, in clear; never written down. */
export interface Spellings {
  /** In any notation. */
  readonly names: readonly string[];
  readonly netids: readonly string[];
  readonly emails: readonly string[];
  /** Names of withdrawn exports, which reports may have. */
  readonly files: readonly string[];
}

export interface Forgotten {
  /** 16 hexadecimal digits of the whole list: a snapshot that has it names nobody of the list. */
  readonly mark: string;
  readonly isPending: boolean;
  /** The whole text is the name of somebody, in any notation. */
  isName(text: string): boolean;
  /** As isName, in this notation only. */
  isSpelling(text: string): boolean;
  isNetid(text: string): boolean;
  /** That of the directory, or the netid at any host. */
  isEmail(text: string): boolean;
  isExport(sha256: string): boolean;
  isFile(name: string): boolean;
}

export const tombstonesPath = (dataDir: string): string => join(dataDir, "forgotten.json");

export const noTombstones = (): Tombstones => ({
  key: randomBytes(32).toString("hex"),
  people: [],
  exports: [],
  done: null,
});

/** Undefined where nothing was ever taken down. @throws UsageError for a list that cannot be read: going on would bring back what it keeps away */
export async function readTombstones(dataDir: string, disk: DiskReader): Promise<Tombstones | undefined> {
  const path = tombstonesPath(dataDir);
  try {
    return tombstones.parse(JSON.parse(await disk.readFile(path)));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw new UsageError(`${path}, the list of what was taken down, cannot be read: put back its copy`, {
      cause: error,
    });
  }
}

export async function writeTombstones(dataDir: string, list: Tombstones, disk: Disk): Promise<void> {
  const path = tombstonesPath(dataDir);
  await disk.mkdir(dataDir);
  for (const name of await disk.readdir(dataDir)) if (DRAFT.test(name)) await disk.rm(join(dataDir, name));
  await replaceFile(disk, path, `${JSON.stringify(list, null, 1)}\n`, `${path}.${randomUUID()}.part`);
}

const DRAFT = /^forgotten\.json\.[0-9a-f-]+\.part$/;

/** The list with these people and exports. */
export function withForgotten(list: Tombstones, spellings: Spellings, exports: readonly string[]): Tombstones {
  const hashOf = hasher(list.key);
  const people = [
    ...spellings.names.map((name) => hashOf("name", nameForm(name))),
    ...spellings.netids.map((netid) => hashOf("netid", netid.toLowerCase())),
    ...spellings.emails.map((email) => hashOf("email", email.toLowerCase())),
    ...spellings.files.map((file) => hashOf("file", file)),
  ];
  const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].sort();
  return { ...list, people: union(list.people, people), exports: union(list.exports, exports) };
}

export function markOf({ key, people, exports }: Tombstones): string {
  return createHash("sha256")
    .update(JSON.stringify([key, people, exports]))
    .digest("hex")
    .slice(0, 16);
}

export function openTombstones(list: Tombstones): Forgotten {
  const mark = markOf(list);
  const people = new Set(list.people);
  const exports = new Set(list.exports);
  const hashOf = hasher(list.key);
  const known = new Map<string, boolean>();
  function has(kind: Kind, text: string): boolean {
    const key = `${kind} ${text}`;
    const found = known.get(key) ?? people.has(hashOf(kind, text));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, found);
    return found;
  }
  const isSpelling = (text: string) => has("name", nameForm(text));
  const isNetid = (text: string) => has("netid", text.toLowerCase());
  return {
    mark,
    isPending: list.done !== mark,
    isSpelling,
    isName: (text) => isSpelling(text) || isSpelling(toShortName(text)),
    isNetid,
    isEmail: (text) => has("email", text.toLowerCase()) || isNetid(text.slice(0, text.indexOf("@"))),
    isExport: (sha256) => exports.has(sha256),
    isFile: (name) => has("file", name),
  };
}

/** Answers that are remembered: the same names come again and again. */
const MAX_KNOWN = 200_000;

type Kind = "name" | "netid" | "email" | "file";

const hasher =
  (key: string) =>
  (kind: Kind, text: string): string =>
    createHmac("sha256", Buffer.from(key, "hex")).update(`${kind}\0${text}`).digest("hex");
