/** Checks every known environment variable that is set: shows its value, or the fault in it. */
import { z } from "zod";
import { UsageError } from "../../errors.ts";
import {
  describeSettings,
  type Environment,
  readSettings,
  type Settings,
  shownSetting,
  warnOfMisspelled,
} from "../../settings/settings.ts";
import { fault, type Finding, note, ok } from "./finding.ts";

export interface CheckedVariables {
  readonly findings: readonly Finding[];
  /** The environment without invalid variables, so that the other checks can continue. */
  readonly valid: Environment;
  readonly invalid: readonly string[];
}

export function checkVariables(settings: Settings, env: Environment): CheckedVariables {
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
