/**
 * The generations of earlier snapshots: on disk, or of a replica at its origin, from where they come when they are
 * asked for.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { type Generation, needsMigration } from "../../pipeline/store/published.ts";
import { DamagedGeneration, isOlder, OtherContract, readManifest } from "../../pipeline/store/manifest.ts";
import { diskReader } from "../../pipeline/disk/disk.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { cachedRetained, type Retained, type Served } from "./retained.ts";

/** An earlier snapshot cannot be used now. The message is for clients. */
export class HistoryBusy extends Error {
  override name = "HistoryBusy";
  constructor(message = "Too many earlier snapshots are in use. Please try again in a few seconds.") {
    super(message);
  }
}

/** A snapshot of an older contract. The message is for clients. */
export class NeedsMigration extends Error {
  override name = "NeedsMigration";
}

/** Of a replica: where its earlier snapshots come from. */
export interface Origin {
  /** Undefined when it is not there any more. @throws when the origin cannot be read */
  readManifest(one: Retained): Promise<Manifest | undefined>;
  /** Brings its files; false when it is not there any more. @throws OtherContract; when the origin cannot be read */
  fetch(one: Retained): Promise<boolean>;
  /** The ids that it lists before that snapshot; undefined when that is not known. */
  earlierThan(id: string): ReadonlySet<string> | undefined;
}

export interface EarlierGenerations {
  /** The current snapshot, then the retained earlier ones, newest first; without a current one none. */
  retained(): Promise<readonly Retained[]>;
  /**
   * Of this contract or an older one; its files may not be here. @throws DamagedGeneration when its manifest cannot be
   * read; HistoryBusy
   */
  readGeneration(one: Retained): Promise<Generation>;
  /**
   * Of a replica: has its files brought here. @throws DamagedGeneration when they are gone; HistoryBusy, NeedsMigration
   */
  bring(one: Retained): Promise<void>;
  /** As readGeneration, with its files. @throws also NeedsMigration */
  readComplete(one: Retained): Promise<Generation>;
}

/** A request waits so long for files of the origin. */
const MAX_WAIT_MS = 10_000;
const CANNOT_COME =
  "This snapshot cannot be copied from the server that is followed. Please try again in a few minutes.";
const IS_COMING = "This snapshot is being copied from the server that is followed. Please try again in a few seconds.";

/** @param origin undefined when nothing is followed */
export function createEarlierGenerations(
  artifactsDir: string,
  current: () => Served | undefined,
  origin: Origin | undefined,
): EarlierGenerations {
  const known = cachedRetained(current, origin !== undefined);
  /** The folders of what the origin does not have any more. */
  const gone = new Set<string>();

  function expectThere({ folderName }: Retained, isThere: boolean): void {
    if (isThere) return;
    gone.add(folderName);
    throw new DamagedGeneration(`${folderName} is gone`);
  }

  function isGone({ folderName, id }: Retained): boolean {
    const served = current();
    const listed = origin?.earlierThan(served?.snapshot.id ?? "");
    return gone.has(folderName) || (folderName !== served?.folderName && listed?.has(id) === false);
  }

  const { snapshots } = layoutOf(artifactsDir);
  // The manifest comes last.
  const isHere = ({ folderName }: Retained): boolean => existsSync(join(snapshots, `${folderName}.json`));
  const toGeneration = (manifest: Manifest): Generation => ({ folder: artifactsDir, manifest, retained: [] });

  async function readGeneration(one: Retained): Promise<Generation> {
    const served = current();
    if (served?.folderName === one.folderName) return served.snapshot.generation;
    if (!origin || isHere(one))
      return toGeneration(await readManifest(artifactsDir, one.folderName, diskReader, isOlder));
    const manifest = await origin.readManifest(one).catch((error: unknown) => {
      throw error instanceof DamagedGeneration ? error : new HistoryBusy(CANNOT_COME);
    });
    expectThere(one, manifest !== undefined);
    return toGeneration(manifest as Manifest);
  }

  async function bring(one: Retained): Promise<void> {
    if (!origin || isHere(one)) return;
    // It goes on when it takes longer than a request waits.
    const coming = Promise.race([origin.fetch(one), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    const isThere = await coming.catch((error: unknown) => {
      throw error instanceof OtherContract ? toNeedsMigration(one, error) : new HistoryBusy(CANNOT_COME);
    });
    if (isThere === undefined) throw new HistoryBusy(IS_COMING);
    expectThere(one, isThere);
  }

  return {
    retained: async () => (await known()).filter((one) => !isGone(one)),
    readGeneration,
    bring,
    async readComplete(one) {
      await bring(one);
      return readGeneration(one);
    },
  };
}

/** Of this contract. @throws DamagedGeneration, NeedsMigration */
export async function readToAnswer(one: Retained, { folder }: Generation): Promise<Generation> {
  const manifest = await readManifest(folder, one.folderName).catch((error: unknown) => {
    throw error instanceof OtherContract ? toNeedsMigration(one, error) : error;
  });
  return { folder, manifest, retained: [] };
}

const toNeedsMigration = ({ id }: Retained, error: OtherContract): NeedsMigration =>
  new NeedsMigration(needsMigration(id, error.contract), { cause: error });

export function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedGeneration)) throw error;
}

/** Undefined when its manifest is missing or damaged. @throws HistoryBusy */
export const readUnlessDamaged = (
  { readGeneration }: Pick<EarlierGenerations, "readGeneration">,
  one: Retained,
): Promise<Generation | undefined> => readGeneration(one).catch(unlessDamaged);
