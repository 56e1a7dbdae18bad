/** `make doctor`: checks everything that an installation needs; prints a line for each. Writes nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type PipelineConfig, pipelineSettings, readPipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { readCurrentName } from "../../store/published.ts";
import { parseSnapshotName } from "../../store/layout.ts";
import {
  describeSettings,
  type Environment,
  readSettings,
  type Settings,
  shownSetting,
  warnOfMisspelled,
} from "../../settings/settings.ts";
import { checkAddresses } from "../doctor/addresses.ts";
import { fault, type Finding, type Findings, lineOf, note, ok } from "../doctor/finding.ts";
import { checkDisk, checkNode, checkPort, type Listening } from "../doctor/machine.ts";
import { checkPublished } from "../doctor/published.ts";
import { checkStores } from "../doctor/stores.ts";

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
  yield await checkPort(listening, parseSnapshotName(name ?? "")?.id);
  yield* checkAddresses(config, env, now);
  yield* checkStores(config, followUrl);
  let isSound = name !== undefined;
  for await (const finding of checkPublished(config, now())) {
    isSound &&= finding.level !== "FAULT";
    yield finding;
  }
  if (isSound) yield await checkServing(env, server.tryServing);
}

interface CheckedVariables {
  readonly findings: readonly Finding[];
  /** The environment without invalid variables, so that the other checks can continue. */
  readonly valid: Environment;
  readonly invalid: readonly string[];
}

/** Checks every known variable that is set: shows its value, or the fault in it. */
function checkVariables(settings: Settings, env: Environment): CheckedVariables {
  const findings: Finding[] = [];
  const invalid: string[] = [];
  const described = describeSettings(settings);
  for (const [name, schema] of Object.entries(settings.shape)) {
    const value = env[name]?.trim();
    if (!value) continue;
    try {
      readSettings(z.object({ [name]: schema }), env);
      findings.push(ok(`${name} is ${shownSetting(value, described[name])}`));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      invalid.push(name);
      findings.push(fault(error.message, `correct ${name} or unset it: ${described[name]?.description}`));
    }
  }
  for (const warning of warnOfMisspelled(settings, env)) findings.push(note(warning, "it has no effect as it is"));
  if (findings.length === 0) findings.push(ok("no variable is set: every setting has its default"));
  const valid = Object.fromEntries(Object.entries(env).filter(([name]) => !invalid.includes(name)));
  return { findings, valid, invalid };
}

/** Returns the reason why the server cannot serve, in a sentence; undefined when it can. */
type TryServing = (env: Environment) => Promise<string | undefined>;

const SERVER = fileURLToPath(new URL("../../../server/main.js", import.meta.url));
/** The timeout; loading the largest data takes seconds. */
const MAX_MS = 120_000;

/** Asks the server itself (`server/main.js --check`), in a separate process, as an operator would. */
export const tryServing: TryServing = async (env) => {
  const child = spawn(process.execPath, [SERVER, "--check"], {
    env: { ...env },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: MAX_MS,
  });
  const said = text(child.stderr);
  const [status] = (await once(child, "exit")) as [number | null];
  if (status === 0) return undefined;
  return (await said).trim().split("\n").at(-1) || `it ended with ${status === null ? "a signal" : `status ${status}`}`;
};

async function checkServing(env: Environment, tried: TryServing): Promise<Finding> {
  const problem = await tried(env);
  if (problem === undefined) return ok("a server that starts now serves what is published");
  return fault(
    `a server that starts now does not serve what is published: ${problem}`,
    "correct that, then run this again",
  );
}
