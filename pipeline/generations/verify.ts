/** Compares a published generation with its manifest. Every file is hashed. */
import { basename, dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { countRows, relationNamed, schemaProblems } from "./schema.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { fileProblem } from "./file-check.ts";
import type { Generation } from "./generation.ts";
import { generationName } from "./layout.ts";
import { snapshotId } from "./snapshot-id.ts";

/** `path` is relative to the generation's folder. */
export interface Problem {
  readonly path: string;
  readonly problem: string;
}

/** Checks size, SHA-256, rows and columns of every file, and looks for what is not in the manifest. */
export async function verifyGeneration(
  connection: DuckDBConnection,
  { folder, manifest }: Generation,
  disk: DiskReader = diskReader,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const say = (path: string, problem: string) => void problems.push({ path, problem });
  if (snapshotId(manifest.files, manifest.changesBefore) !== manifest.id)
    say("manifest.json", "the id is not that of its files");
  if (basename(folder) !== generationName(manifest.generation, manifest.id)) {
    say("manifest.json", "the manifest is that of another generation");
  }
  for (const file of manifest.files) {
    const path = join(folder, file.path);
    const damage = await fileProblem(path, file, disk);
    if (damage !== undefined) {
      say(file.path, damage);
      continue;
    }
    const table = relationNamed(file.table);
    if (!table) {
      say(file.path, `no table of the contract: ${file.table}`);
      continue;
    }
    try {
      for (const problem of await schemaProblems(connection, table, path)) say(file.path, problem);
      const rows = await countRows(connection, path);
      if (rows !== file.rows) say(file.path, `${rows} rows, not ${file.rows}`);
    } catch {
      say(file.path, "no Parquet file");
    }
  }
  for (const path of await findForeign({ folder, manifest }, disk)) say(path, "not in the manifest");
  return problems;
}

/** The paths of what is in a generation and not in its manifest: files, links, and folders, whose content is not looked at. */
export async function findForeign({ folder, manifest }: Generation, disk: DiskReader): Promise<string[]> {
  const paths = manifest.files.map(({ path }) => path);
  const files = new Set(["manifest.json", ...paths]);
  const folders = new Set([".", ...paths.flatMap(foldersAbove)]);
  const foreign: string[] = [];
  for (const below of folders) {
    const at = join(folder, below);
    // Its own link is named by the folder above it.
    if ((await disk.stat(at))?.kind !== "folder") continue;
    for (const name of await disk.readdir(at)) {
      const path = join(below, name);
      const isOurs = folders.has(path) ? (await disk.stat(join(at, name)))?.kind === "folder" : files.has(path);
      if (!isOurs) foreign.push(path);
    }
  }
  return foreign;
}

/** `views/seats` and `views` of a file in it. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === "." ? [] : [above, ...foldersAbove(above)];
}

/** Paths of all files below a folder, relative to it. */
export async function filesBelow(disk: DiskReader, folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for (const name of await disk.readdir(join(folder, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    const entry = await disk.stat(join(folder, path));
    if (entry?.kind === "folder") found.push(...(await filesBelow(disk, folder, path)));
    else found.push(path);
  }
  return found;
}
