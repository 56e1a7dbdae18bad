/**
 * The list of take-downs, `data/forgotten.json`. It contains no names: people are HMAC-SHA-256 hashes under a key of
 * the list, so that a holder of the list can test whether a name is in it, but cannot read the names. Exports are the
 * hashes of their content.
 */
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { type DiskReader, hasCode, type Disk, nodeDisk, replaceFile } from "../disk/disk.ts";
import {
  isInitial,
  isNameOf,
  type ListedNames,
  keysInText,
  keysOfPerson,
  listedAs,
  readingsOf,
} from "./person-name.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const tombstones = z.object({
  key: hash,
  people: z.array(hash),
  /** The keys of names. */
  names: z.array(hash),
  exports: z.array(hash),
  /** Counts repeated applications to snapshots that had its mark and still had listed data. */
  again: z.int().exactOptional(),
  /**
   * The mark of the list when it was last applied everywhere. If it differs from the current mark, the next run
   * finishes the work.
   */
  done: z.string().nullable(),
});
export type Tombstones = z.infer<typeof tombstones>;

/** Identifies a person in clear text; never stored. */
export interface Spellings {
  /** Taken down in any notation, even if others share the name. */
  readonly names: readonly string[];
  /** Taken down in any notation, unless somebody else has the name. */
  readonly own?: readonly string[];
  /** As `own`, but never by an initial: this last name is only the last of several. */
  readonly partly?: readonly string[];
  /** Names of other people. */
  readonly others?: readonly string[];
  readonly netids: readonly string[];
  readonly emails: readonly string[];
  /** Names of withdrawn exports, which reports may have. */
  readonly files: readonly string[];
}

export interface Forgotten extends ListedNames {
  /** 16 hexadecimal digits over the whole list: a snapshot with this mark names nobody on the list. */
  readonly mark: string;
  readonly isPending: boolean;
  /** True when the whole text is the name of somebody, in any notation. */
  isName(text: string): boolean;
  isNetid(text: string): boolean;
  /** That of the directory. */
  isEmail(text: string): boolean;
  isExport(sha256: string): boolean;
  isFile(name: string): boolean;
}

const tombstonesPath = (dataDir: string): string => join(dataDir, "forgotten.json");

export const noTombstones = (): Tombstones => ({
  key: randomBytes(32).toString("hex"),
  people: [],
  names: [],
  exports: [],
  done: null,
});

/**
 * Returns undefined when nothing was ever taken down.
 * @throws UsageError for an unreadable list: continuing without it would republish removed data
 */
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

/** The list, opened; undefined when there never was one. @throws UsageError */
export async function readForgotten(dataDir: string, disk: DiskReader = nodeDisk): Promise<Forgotten | undefined> {
  const list = await readTombstones(dataDir, disk);
  return list && openTombstones(list);
}

/**
 * Provides the list to a long-running program, and reads it again when the file has changed. The function that it
 * returns throws as readForgotten.
 */
export function watchForgotten(dataDir: string): () => Promise<Forgotten | undefined> {
  let last: { readonly version: string; readonly list: Promise<Forgotten | undefined> } | undefined;
  return async () => {
    // Each change renames a new file into place.
    const file = await stat(tombstonesPath(dataDir)).catch(() => undefined);
    const version = file ? `${file.ino} ${file.size} ${file.mtimeMs}` : "";
    if (last?.version !== version) {
      const list = readForgotten(dataDir);
      last = { version, list };
      // Do not remember failures.
      list.catch(() => (last = undefined));
    }
    return last.list;
  };
}

/**
 * True when a list filters everything that was taken down from data with this mark (`Manifest.forgotten`). A list that
 * is not applied everywhere yet is ahead of the data.
 */
export const coversMark = (list: Forgotten | undefined, mark: string | undefined): boolean =>
  mark === undefined || (list !== undefined && (list.mark === mark || list.isPending));

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
    ...spellings.netids.map((netid) => hashOf("netid", netid.toLowerCase())),
    ...spellings.emails.map((email) => hashOf("email", email.toLowerCase())),
    ...spellings.files.map((file) => hashOf("file", file)),
  ];
  const keys = nameKeysOf(spellings);
  const lasts = new Set(keys.map((key) => key.slice(0, key.indexOf("|"))));
  const notations = [...spellings.names, ...(spellings.own ?? []), ...(spellings.partly ?? [])];
  const starts = notations.flatMap(listedAs).flatMap((person) => (lasts.has(person.last) ? person.starts : []));
  const names = [
    ...keys.map((key) => hashOf("name key", key)),
    ...[...lasts].map((last) => hashOf("last name", last)),
    ...starts.map((start) => hashOf("start of a last name", start)),
  ];
  const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].sort();
  return {
    ...list,
    people: union(list.people, people),
    names: union(list.names, names),
    exports: union(list.exports, exports),
  };
}

/** The keys under which people of these spellings are kept. */
export function nameKeysOf({
  names,
  others = [],
  own = [],
  partly = [],
}: Omit<Spellings, "netids" | "emails" | "files">): string[] {
  const isFirst = (name: string | undefined, initial: string) =>
    name !== undefined && !isInitial(name) && name.startsWith(initial.slice(0, -1));
  const everybody = [...names, ...own].flatMap(listedAs);
  const keysOf = (notation: string) =>
    listedAs(notation).flatMap((person) => {
      const [first] = person.given;
      const isFirstKnown = everybody.some(({ given, last }) => last === person.last && isFirst(given[0], first ?? "."));
      return keysOfPerson(person, isFirstKnown);
    });
  const ofOthers = new Set(others.flatMap(readingsOf).flatMap(keysInText));
  const isInFull = (key: string) => !/\|\S+[.~] /.test(key);
  const ofOwn = [...own.flatMap(keysOf), ...partly.flatMap(keysOf).filter(isInFull)];
  return [...new Set([...names.flatMap(keysOf), ...ofOwn.filter((key) => !ofOthers.has(key))])];
}

/** Increase this when more notations are recognized, so that earlier take-downs are applied again. */
const MATCHER = 2;

/** The same list with another mark. */
export const appliedAgain = (list: Tombstones): Tombstones => ({ ...list, again: (list.again ?? 0) + 1 });

export function markOf({ again = 0, key, people, names, exports }: Tombstones): string {
  return createHash("sha256")
    .update(JSON.stringify([MATCHER, key, people, names, exports, again]))
    .digest("hex")
    .slice(0, 16);
}

export function openTombstones(list: Tombstones): Forgotten {
  const mark = markOf(list);
  const hashes = new Set([...list.people, ...list.names]);
  const exports = new Set(list.exports);
  const hashOf = hasher(list.key);
  const results = new Map<string, boolean>();
  function has(kind: Kind, text: string): boolean {
    const key = `${kind} ${text}`;
    const result = results.get(key) ?? hashes.has(hashOf(kind, text));
    if (results.size >= MAX_KNOWN) results.clear();
    results.set(key, result);
    return result;
  }
  const isListed = (key: string) => has("name key", key);
  return {
    mark,
    isPending: list.done !== mark,
    isListed,
    isName: (text) => isNameOf(text, isListed),
    isLastName: (folded) => has("last name", folded),
    isStartOfLastName: (folded) => has("start of a last name", folded),
    isNetid: (text) => has("netid", text.toLowerCase()),
    isEmail: (text) => has("email", text.toLowerCase()),
    isExport: (sha256) => exports.has(sha256),
    isFile: (name) => has("file", name),
  };
}

/** Answers that are remembered: the same names come again and again. */
const MAX_KNOWN = 200_000;

type Kind = "name key" | "last name" | "start of a last name" | "netid" | "email" | "file";

const hasher =
  (key: string) =>
  (kind: Kind, text: string): string =>
    createHmac("sha256", Buffer.from(key, "hex")).update(`${kind}\0${text}`).digest("hex");
