/** Reads the documents of the artifacts folder, without a look at the files that they name. */
import { join } from "node:path";
import type { z } from "zod";
import { type Manifest, manifest as manifestSchema } from "../contract/documents/manifest.ts";
import { type Pointer, pointer as pointerSchema } from "../contract/documents/pointer.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { diskReader, type DiskReader, hasCode } from "./disk-reader.ts";
import { layoutOf, nameOf } from "./layout.ts";
import { snapshotId } from "./snapshot-id.ts";

/** A pointer or manifest that cannot be used, or a missing or damaged file. The message is for the operator. */
export class DamagedGeneration extends Error {
  override name = "DamagedGeneration";
}

/** A sound snapshot of another contract version. */
export class OtherContract extends DamagedGeneration {
  override name = "OtherContract";
  constructor(
    message: string,
    readonly contract: number,
    /** True for documents from before the first release. */
    readonly isUnreleased = false,
  ) {
    super(message);
  }
}

type Accepts = (contract: number) => boolean;
export const isOurs: Accepts = (contract) => contract === CONTRACT_VERSION;
export const isOlder: Accepts = (contract) => contract <= CONTRACT_VERSION;

/** The pointer of the artifacts folder; undefined before the first publication. @throws DamagedGeneration, OtherContract */
export async function readPointer(
  artifacts: string,
  disk: DiskReader = diskReader,
  accepts: Accepts = isOurs,
): Promise<Pointer | undefined> {
  const place = "current.json";
  const text = await readText(layoutOf(artifacts).pointer, place, disk);
  if (text === undefined) return undefined;
  const pointer = parsePointer(text, accepts);
  assertId(pointer.snapshot, place);
  return pointer;
}

/** The manifest of a snapshot by its name. @throws DamagedGeneration, OtherContract */
export async function readManifest(
  artifacts: string,
  name: string,
  disk: DiskReader = diskReader,
  accepts: Accepts = isOurs,
): Promise<Manifest> {
  const place = `${name}.json`;
  const text = await readText(join(layoutOf(artifacts).snapshots, place), place, disk);
  if (text === undefined) throw new DamagedGeneration(`${place} is missing`);
  const manifest = parseManifest(text, name, accepts);
  assertId(manifest, place);
  return manifest;
}

async function readText(path: string, place: string, disk: DiskReader): Promise<string | undefined> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new DamagedGeneration(`${place} cannot be read (${code})`);
  }
}

/** Checks a manifest as it was read, of the snapshot of that name. @throws DamagedGeneration, OtherContract */
export function parseManifest(text: string, name: string, accepts: Accepts = isOurs): Manifest {
  const place = `${name}.json`;
  const found = parseJson(text, place);
  assertContract((found as { contract?: unknown } | null)?.contract, place, accepts);
  const manifest = checked(manifestSchema, found, place);
  const own = nameOf(manifest);
  if (own !== name) throw new DamagedGeneration(`${place}: the manifest is that of ${own}`);
  return manifest;
}

/** Checks a pointer as it was read. @throws DamagedGeneration, OtherContract */
export function parsePointer(text: string, accepts: Accepts = isOurs): Pointer {
  const place = "current.json";
  const found = parseJson(text, place);
  const { contract, snapshot } = (found ?? {}) as { contract?: unknown; snapshot?: { contract?: unknown } };
  if (snapshot === undefined && typeof contract === "number")
    throw new OtherContract(`${place} is from before the first release`, contract, true);
  assertContract(snapshot?.contract, place, accepts);
  return checked(pointerSchema, found, place);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedGeneration(`${place} is no JSON`);
  }
}

/** Checked first: another version may have another schema. */
function assertContract(contract: unknown, place: string, accepts: Accepts): void {
  if (typeof contract === "number" && !accepts(contract))
    throw new OtherContract(`${place} is of contract version ${contract}, not ${CONTRACT_VERSION}`, contract);
}

function checked<T>(schema: z.ZodType<T>, found: unknown, place: string): T {
  const { data, error } = schema.safeParse(found);
  if (!error) return data;
  const { path = [], message = "" } = error.issues[0] ?? {};
  throw new DamagedGeneration(`${place}: ${path.join(".")}: ${message}`);
}

/** Only the artifacts folder has whole snapshots: a selection of the tables, such as a backup, keeps the id of the whole. */
function assertId({ changesBefore, contract, files, id }: Manifest, place: string): void {
  if (contract === CONTRACT_VERSION && snapshotId(files, changesBefore) !== id)
    throw new DamagedGeneration(`${place}: the id is not that of its files`);
}
