/** Kills `make forget` at its steps, and looks at what is left. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { diskReader } from "../../../pipeline/disk/disk.ts";
import { findDamaged } from "../../../pipeline/store/file-check.ts";
import { readCurrent, retainedSnapshots } from "../../../pipeline/store/published.ts";
import { verifyGeneration } from "../../../pipeline/store/verify.ts";
import { readPublishedVersions } from "../../../pipeline/store/versions.ts";
import { placesWith } from "../../support/decoded-bytes.ts";
import { newestVersion, readVersion } from "../lake/delta-reader.ts";
import { faultyDisk, isFlip } from "../publish/faulty-disk.ts";
import { forgetIn, GONE, type makeWorld, type Place } from "./forget-world.ts";

export const placesNaming = (connection: DuckDBConnection, { artifacts, data, lake }: Place): Promise<string[]> =>
  placesWith(connection, [artifacts, data, lake], GONE);

/** The broken promises in a state in which no command is running. */
export async function problemsOf(connection: DuckDBConnection, { artifacts, lake }: Place): Promise<string[]> {
  const problems: string[] = [];
  const current = await readCurrent(artifacts);
  if (!current) return ["nothing is published"];
  problems.push(...(await verifyGeneration(connection, current)).map(({ path, problem }) => `${path}: ${problem}`));
  for (const { folder, manifest } of await readPublishedVersions(artifacts))
    for (const { file, problem } of await findDamaged(folder, manifest.files, diskReader))
      problems.push(`${file.path} of ${manifest.id}: ${problem}`);
  if ((await retainedSnapshots(current)).length !== 3) problems.push("a retained snapshot is lost");
  for (const table of ["sections", "changes", "grades", "instructors"])
    for (let version = 0; version <= newestVersion(join(lake, table)); version++)
      for (const { path, size } of await readVersion(connection, join(lake, table), version)) {
        const at = join(lake, table, path);
        if (!existsSync(at) || readFileSync(at).length !== size)
          problems.push(`version ${version} of ${table} lacks ${path}`);
      }
  return problems;
}

/**
 * `most` kills at evenly spaced steps, a single one before the switch to the written state: a whole snapshot stays in
 * service, and the next run finishes the take-down.
 * @returns the promises that were not kept
 */
export async function killForget(
  connection: DuckDBConnection,
  world: Awaited<ReturnType<typeof makeWorld>>,
  most: number,
): Promise<{ broken: string[]; kills: number; steps: number }> {
  const traced = faultyDisk();
  await forgetIn(world.copy(), { netid: "wquillfe" }, { disk: traced.disk });
  const steps = traced.steps.length;
  const kills = Math.min(most, steps);
  const broken: string[] = [];
  for (let n = 0; n < kills; n++) {
    const at = kills === 1 ? traced.steps.findIndex(isFlip) : Math.floor(((n + 0.5) * steps) / kills);
    const place = world.copy();
    const { disk } = faultyDisk({ at, fault: n % 2 === 0 ? "kill-before" : "kill-after" });
    await forgetIn(place, { netid: "wquillfe" }, { disk }).catch(() => undefined);
    const say = (problem: string) =>
      broken.push(`killed at step ${at} of ${steps} (${traced.steps[at]?.name} ${traced.steps[at]?.path}): ${problem}`);
    const current = await readCurrent(place.artifacts).catch(() => undefined);
    if (!current) say("nothing is in service");
    for (const { file, problem } of current
      ? await findDamaged(current.folder, current.manifest.files, diskReader)
      : [])
      say(`${file.path}: ${problem}`);
    await forgetIn(place, { netid: "wquillfe" }).catch((error: unknown) => say(String(error)));
    for (const problem of [...(await placesNaming(connection, place)), ...(await problemsOf(connection, place))])
      say(problem);
    rmSync(dirname(place.artifacts), { recursive: true });
  }
  return { broken, kills, steps };
}
