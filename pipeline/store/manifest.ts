/** Checks the documents of stores as they are read, before any of their paths is used. */
import type { z } from "zod";
import {
  type Manifest,
  manifest as manifestSchema,
  isMade,
  type PublishedFile,
} from "../contract/documents/manifest.ts";
import { type Pointer, pointer as pointerSchema } from "../contract/documents/pointer.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { nameOf, filePath, hashInPath } from "./layout.ts";
import { snapshotId } from "./snapshot-id.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { relationNamed } from "./schema.ts";
import type { StoreReader } from "./store.ts";

/** A pointer or manifest that cannot be used, or a missing or damaged file. The message is for the operator. */
export class DamagedSnapshot extends Error {
  override name = "DamagedSnapshot";
}

/** A sound snapshot of another contract version. */
export class OtherContract extends DamagedSnapshot {
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

export type Accepts = (contract: number) => boolean;
export const isOurs: Accepts = (contract) => contract === CONTRACT_VERSION;
export const isOlder: Accepts = (contract) => contract <= CONTRACT_VERSION;

/** Checks a manifest as it was read, of the snapshot of that name. @throws DamagedSnapshot, OtherContract */
export function parseManifest(text: string, name: string, accepts: Accepts = isOurs): Manifest {
  const place = `${name}.json`;
  const json = parseJson(text, place);
  assertContract((json as { contract?: unknown } | null)?.contract, place, accepts);
  const manifest = checked(manifestSchema, json, place);
  const actualName = nameOf(manifest);
  if (actualName !== name) throw new DamagedSnapshot(`${place}: the manifest is that of ${actualName}`);
  return manifest;
}

/** Checks a pointer as it was read. @throws DamagedSnapshot, OtherContract */
export function parsePointer(text: string, accepts: Accepts = isOurs): Pointer {
  const place = "current.json";
  const json = parseJson(text, place);
  const { contract, snapshot } = (json ?? {}) as { contract?: unknown; snapshot?: { contract?: unknown } };
  if (snapshot === undefined && typeof contract === "number")
    throw new OtherContract(`${place} is from before the first release`, contract, true);
  assertContract(snapshot?.contract, place, accepts);
  return checked(pointerSchema, json, place);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedSnapshot(`${place} is no JSON`);
  }
}

/** Check the contract first: another version may have another schema. */
function assertContract(contract: unknown, place: string, accepts: Accepts): void {
  if (typeof contract === "number" && !accepts(contract))
    throw new OtherContract(`${place} is of contract version ${contract}, not ${CONTRACT_VERSION}`, contract);
}

function checked<T>(schema: z.ZodType<T>, json: unknown, place: string): T {
  const { data, error } = schema.safeParse(json);
  if (!error) return data;
  const { path = [], message = "" } = error.issues[0] ?? {};
  throw new DamagedSnapshot(`${place}: ${path.join(".")}: ${message}`);
}

/**
 * Only the artifacts folder has whole snapshots: a selection of the tables, such as a backup, keeps the id of the
 * whole.
 */
export function assertId({ changesBefore, contract, files, id }: Manifest, place: string): void {
  if (contract === CONTRACT_VERSION && snapshotId(files, changesBefore) !== id)
    throw new DamagedSnapshot(`${place}: the id is not that of its files`);
}

/**
 * @throws UpstreamBadResponse for another contract version, when a path does not follow from table, partition and hash,
 *   or the id from the files
 */
export function assertSnapshot({ changesBefore, contract, files, id }: Manifest, store: string): void {
  if (contract !== CONTRACT_VERSION)
    throw new UpstreamBadResponse(store, `it has contract version ${contract}, this server reads ${CONTRACT_VERSION}`);
  for (const file of files)
    if (!isValid(file))
      throw new UpstreamBadResponse(store, `a file of ${file.table.slice(0, 40)} has an invalid path`);
  if (new Set(files.map(({ path }) => path)).size !== files.length || snapshotId(files, changesBefore) !== id)
    throw new UpstreamBadResponse(store, "the snapshot id is not that of the listed files");
}

function isValid(file: PublishedFile): boolean {
  const { partition, path, sha256, table: name } = file;
  const table = relationNamed(name);
  const columns = Object.keys(partition);
  const isWithoutRows = isMade(file) && columns.length === 0;
  const hash = hashInPath(path);
  return (
    table !== undefined &&
    hash !== undefined &&
    (isWithoutRows || columns.length === table.partitionedBy.length) &&
    (isWithoutRows || table.partitionedBy.every((column) => columns.includes(column))) &&
    (partition.year === undefined || /^\d{4}$/.test(partition.year)) &&
    sha256.startsWith(hash) &&
    path === filePath(name, partition, hash)
  );
}

/**
 * @param what names the document, as in `version 3 of grades`
 * @throws UpstreamBadResponse unless it is JSON of that shape
 */
export function parseStored<T>(schema: z.ZodType<T>, text: string, what: string, { name }: StoreReader): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new UpstreamBadResponse(name, `${name}: ${what} is damaged`, { cause });
  }
}
