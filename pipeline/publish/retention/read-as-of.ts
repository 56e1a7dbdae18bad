import { join, resolve } from "node:path";
import { type RetainedSnapshot, resolveAsOf, snapshotsOf } from "../../contract/as-of.ts";
import { UsageError } from "../../errors.ts";
import { nodeDisk } from "../disk.ts";
import { type Generation, generationNames, readCurrent, readGeneration } from "../generation.ts";
import { generationName, layoutOf } from "../layout.ts";

/**
 * The generation that was current then: `asOf` is a snapshot id, a campus day or a time.
 * @throws UsageError when nothing is published, for any other text, and for a snapshot that is not retained: it names the nearest ones
 */
export async function readAsOf(artifacts: string, asOf: string, now: Date): Promise<Generation> {
  const { generations } = layoutOf(resolve(artifacts));
  const current = await readPublished(artifacts);
  const names = new Set((await generationNames(generations, nodeDisk)).map(({ name }) => name));
  const nameOf = ({ generation, id }: RetainedSnapshot) => generationName(generation, id);
  const retained = snapshotsOf(current.manifest).filter((snapshot) => names.has(nameOf(snapshot)));
  const found = resolveAsOf(asOf, retained, now);
  if ("invalid" in found)
    throw new UsageError(
      `ASOF must be a snapshot id, a day such as 2026-11-20 or a time such as 2026-11-20T18:00:00Z, not ${JSON.stringify(asOf)}`,
    );
  if ("nearest" in found)
    throw new UsageError(
      `no snapshot is retained for ${JSON.stringify(asOf)}; the nearest: ${found.nearest.map(shown).join("; ")}`,
    );
  const name = nameOf(found.snapshot);
  return readGeneration(join(generations, name), name, nodeDisk);
}

/** @throws UsageError when nothing is published */
export async function readPublished(artifacts: string): Promise<Generation> {
  const generation = await readCurrent(resolve(artifacts));
  if (!generation) throw new UsageError("nothing is published yet: run `make build-data` first");
  return generation;
}

const shown = ({ id, servedFrom, servedUntil }: RetainedSnapshot): string =>
  `${id}, served from ${servedFrom} ${servedUntil === null ? "on" : `to ${servedUntil}`}`;
