/** The files that operators put into a folder. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Tally } from "../contract/documents/tally.ts";

/** Hidden files, lock files of spreadsheet programs, the folder's README. */
const IGNORED_NAME = /^(?:\.|~\$|readme\b)/i;

/** Compares numbers as numbers: `2` precedes `10`, as a later file corrects an earlier one. */
export const compareNames = new Intl.Collator("en", { numeric: true }).compare;

/** Ignores case. */
export const endsIn = (name: string, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/**
 * The names of the files in the folder with these endings, in order; empty when there is no such folder. Other files
 * are noted. An entry that is not a file, after following links, is damage and is not opened.
 */
export async function droppedNames(folder: string, endings: readonly string[], tally?: Tally): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readFolder(folder)) {
    const { name } = entry;
    if (IGNORED_NAME.test(name)) continue;
    const kind = await kindOf(folder, entry);
    if (kind !== "file") tally?.damage(`${name}: ${kind}, not a file`);
    else if (endsIn(name, endings)) names.push(name);
    else tally?.note(`neither ${endings.join(" nor ")}, not read`, name);
  }
  return names.sort((a, b) => compareNames(a, b) || (a < b ? -1 : 1));
}

/** True when there is an entry with these endings, or one that is not a file. */
export const hasDropped = async (folder: string, endings: readonly string[]): Promise<boolean> =>
  (await readFolder(folder)).some(
    (entry) => !IGNORED_NAME.test(entry.name) && (endsIn(entry.name, endings) || !entry.isFile()),
  );

async function kindOf(folder: string, entry: Dirent): Promise<string> {
  const target = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(() => undefined) : entry;
  if (!target) return "a broken link";
  if (target.isFile()) return "file";
  if (target.isDirectory()) return "a folder";
  return target.isFIFO() ? "a pipe" : target.isSocket() ? "a socket" : "a device";
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
