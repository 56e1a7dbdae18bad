/** The files that operators put into a folder. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import type { Tally } from "../contract/documents/tally.ts";

/** Hidden files, lock files of spreadsheet programs, the folder's own README. */
const IGNORED_NAME = /^(?:\.|~\$|readme\b)/i;

/** With numbers as numbers: `2` before `10`, as a later file corrects an earlier one. */
export const compareNames = new Intl.Collator("en", { numeric: true }).compare;

/** Whatever their case. */
export const endsIn = (name: string, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/** The names in the folder that end as wanted, in order; none when there is no such folder. Others are noted. */
export async function droppedNames(folder: string, endings: readonly string[], tally?: Tally): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readFolder(folder)) {
    const { name } = entry;
    if (IGNORED_NAME.test(name)) continue;
    if (endsIn(name, endings) && !entry.isDirectory()) names.push(name);
    else tally?.note(`neither ${endings.join(" nor ")}, not read`, name);
  }
  return names.sort((a, b) => compareNames(a, b) || (a < b ? -1 : 1));
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
