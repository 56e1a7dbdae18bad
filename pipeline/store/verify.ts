/**
 * Compares published data with its manifest. Every file is hashed. It only finds damage: a run fills or fetches
 * what is lost (run/lost-files.ts).
 */
import { basename, dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { countRows, relationNamed, schemaProblems } from "./schema.ts";
import { diskReader, type DiskReader } from "../disk/disk.ts";
import { fileProblem, findDamaged } from "./file-check.ts";
import { type PublishedSnapshot, listPublished, readLocalManifest } from "./published.ts";
import { layoutOf, nameOf } from "./layout.ts";
import { DamagedSnapshot, isOlder } from "./manifest.ts";

/** `path` is relative to the artifacts folder. */
export interface Problem {
  readonly path: string;
  readonly problem: string;
}

/**
 * Checks size, SHA-256, rows and columns of every file of the current snapshot, its checkout, and that every retained
 * snapshot has a manifest and sound files; and finds foreign files.
 */
export async function verifySnapshot(
  connection: DuckDBConnection,
  published: PublishedSnapshot,
  disk: DiskReader = diskReader,
): Promise<Problem[]> {
  const { folder, manifest } = published;
  const problems: Problem[] = [];
  const say = (path: string, problem: string) => void problems.push({ path, problem });
  for (const file of manifest.files)
    for (const problem of await objectProblems(connection, join(folder, file.path), file, disk))
      say(file.path, problem);
  const manifests = [manifest];
  const names = (await listPublished(folder, disk)).map(({ name }) => name);
  if (!names.includes(nameOf(manifest))) say(`snapshots/${nameOf(manifest)}.json`, "missing");
  for (const name of names) {
    const read = await readLocalManifest(folder, name, disk, isOlder).catch((error: unknown) => {
      if (!(error instanceof DamagedSnapshot)) throw error;
      say(`snapshots/${name}.json`, error.message);
    });
    if (read) manifests.push(read);
  }
  const current = pathsOf(manifest);
  const earlier = new Map(manifests.flatMap(({ files }) => files.map((file) => [file.path, file])));
  const files = [...earlier.values()].filter(({ path }) => !current.has(path));
  for (const { file, problem } of await findDamaged(folder, files, disk)) say(file.path, problem);
  for (const path of await findForeign(folder, pathsOf(...manifests), disk)) say(path, "not in the manifest");
  for (const problem of await checkoutProblems(published, disk)) problems.push(problem);
  return problems;
}

async function objectProblems(
  connection: DuckDBConnection,
  path: string,
  file: PublishedFile,
  disk: DiskReader,
): Promise<string[]> {
  const damage = await fileProblem(path, file, disk);
  if (damage !== undefined) return [damage];
  const table = relationNamed(file.table);
  if (!table) return [`no table of the contract: ${file.table}`];
  try {
    const rows = await countRows(connection, path);
    const wrong = rows === file.rows ? [] : [`${rows} rows, not ${file.rows}`];
    return [...(await schemaProblems(connection, table, path)), ...wrong];
  } catch {
    return ["no Parquet file"];
  }
}

/**
 * Returns the paths of foreign entries beside the objects of these snapshots: files, links, and folders (without a look
 * at their contents).
 */
export async function findForeign(folder: string, files: ReadonlySet<string>, disk: DiskReader): Promise<string[]> {
  const folders = new Set([...files].flatMap(foldersAbove));
  const foreign: string[] = [];
  for (const below of folders) {
    const folderPath = join(folder, below);
    const kind = (await disk.stat(folderPath))?.kind;
    // A link deeper down is named with the folder that it is in.
    if (kind === "link" && !below.includes("/")) foreign.push(below);
    if (kind !== "folder") continue;
    for (const name of await disk.readdir(folderPath)) {
      const path = join(below, name);
      const isOurs = folders.has(path) ? (await disk.stat(join(folderPath, name)))?.kind === "folder" : files.has(path);
      if (!isOurs) foreign.push(path);
    }
  }
  return foreign;
}

export const pathsOf = (...manifests: readonly Manifest[]): Set<string> =>
  new Set(manifests.flatMap(({ files }) => files.map(({ path }) => path)));

/** `views/seats` and `views` of a file in it. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === "." ? [] : [above, ...foldersAbove(above)];
}

/** The manifest in a checkout, for people. */
export const CHECKOUT_MANIFEST = "manifest.json";

/**
 * Differences between the checkout that `current` leads to and the snapshot. A hard link of an object is not hashed
 * again.
 */
export async function checkoutProblems({ folder, manifest }: PublishedSnapshot, disk: DiskReader): Promise<Problem[]> {
  const { checkouts, current } = layoutOf(folder);
  const name = nameOf(manifest);
  const link = (await disk.stat(current))?.kind === "link" ? await disk.readlink(current) : undefined;
  if (link !== `${basename(checkouts)}/${name}`)
    return [{ path: "current", problem: `does not lead to the checkout of ${name}` }];
  const checkout = join(checkouts, name);
  const problems: Problem[] = [];
  for (const file of manifest.files) {
    const [object, linked] = [await disk.stat(join(folder, file.path)), await disk.stat(join(checkout, file.path))];
    const isLink = linked !== undefined && object?.inode === linked.inode && object.device === linked.device;
    const problem = isLink ? undefined : await fileProblem(join(checkout, file.path), file, disk);
    if (problem !== undefined) problems.push({ path: `current/${file.path}`, problem });
  }
  const foreign = await findForeign(checkout, pathsOf(manifest).add(CHECKOUT_MANIFEST), disk);
  for (const entry of await disk.readdir(checkout))
    if (entry !== CHECKOUT_MANIFEST && !manifest.files.some(({ path }) => path.startsWith(`${entry}/`)))
      foreign.push(entry);
  return [...problems, ...foreign.map((path) => ({ path: `current/${path}`, problem: "not in the manifest" }))];
}
