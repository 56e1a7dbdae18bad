/** `make doctor`: checks everything that an installation needs; prints a line for each. Writes nothing. */
import { z } from "zod";
import { type PipelineConfig, pipelineSettings, readPipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { readCurrentName } from "../../store/published.ts";
import { parseGenerationName } from "../../store/layout.ts";
import type { Environment, Settings } from "../../settings/settings.ts";
import { checkAddresses } from "../doctor/addresses.ts";
import { type Finding, type Findings, lineOf } from "../doctor/finding.ts";
import { checkDisk, checkNode, checkPort, type Listening } from "../doctor/machine.ts";
import { checkPublished } from "../doctor/published.ts";
import { checkServing, type TryServing } from "../doctor/serving.ts";
import { checkStores } from "../doctor/stores.ts";
import { checkVariables } from "../doctor/variables.ts";

/** The settings that the server reads from the environment. */
export interface ServerSettings {
  readonly settings: Settings;
  read(env: Environment): Listening & { readonly followUrl: URL | undefined };
  readonly tryServing: TryServing;
}

/**
 * Prints a line for each finding as soon as it is known.
 * @returns whether there is no fault
 * @throws UsageError when a variable is invalid, after all other checks
 */
export async function doctor(env: Environment, server: ServerSettings, now = () => new Date()): Promise<boolean> {
  const settings = z.object({ ...server.settings.shape, ...pipelineSettings.shape });
  const { findings, invalid, valid } = checkVariables(settings, env);
  const counts = { ok: 0, note: 0, FAULT: 0 };
  const print = (finding: Finding) => {
    counts[finding.level]++;
    process.stdout.write(`${lineOf(finding)}\n`);
  };
  print(checkNode(process.versions.node));
  for (const finding of findings) print(finding);
  for await (const finding of checkAll(readPipelineConfig(valid), server, valid, now)) print(finding);
  process.stdout.write(`faults: ${counts.FAULT}, notes: ${counts.note}\n`);
  if (invalid.length > 0) throw new UsageError(`invalid: ${invalid.join(", ")}`);
  return counts.FAULT === 0;
}

async function* checkAll(config: PipelineConfig, server: ServerSettings, env: Environment, now: () => Date): Findings {
  const { followUrl, ...listening } = server.read(env);
  // An unreadable pointer is a fault of the published data, which is reported below.
  const name = await readCurrentName(config.artifactsDir).catch(() => undefined);
  yield* checkDisk(config);
  yield await checkPort(listening, parseGenerationName(name ?? "")?.id);
  yield* checkAddresses(config, env, now);
  yield* checkStores(config, followUrl);
  let isSound = name !== undefined;
  for await (const finding of checkPublished(config, now())) {
    isSound &&= finding.level !== "FAULT";
    yield finding;
  }
  if (isSound) yield await checkServing(env, server.tryServing);
}
