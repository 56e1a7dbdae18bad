/**
 * Environment variables as zod schemas. Error messages and the README's table are generated from each schema's `form`
 * and description.
 */
import { z } from "zod";
import { closestNames } from "./closest-names.ts";
import { UsageError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A property for each variable; every input is text. */
export type Settings = z.ZodObject;

/** The JSON schema of a variable, for README and error messages. */
interface Described {
  readonly form?: string;
  readonly default?: string;
  readonly description?: string;
  /** True when the value must not appear anywhere. */
  readonly secret?: boolean;
}

export const describeSettings = (settings: Settings): Record<string, Described> =>
  z.toJSONSchema(settings, { io: "input" }).properties as Record<string, Described>;

/** Parses the variables; blank ones count as absent. @throws UsageError that names every invalid variable */
export function readSettings<S extends Settings>(settings: S, env: Environment): z.output<S> {
  const present = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => {
      const value = env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
  const withControls = Object.keys(present).filter((name) => /\p{Cc}/u.test(present[name] ?? ""));
  const read = settings.safeParse(present);
  if (read.success && withControls.length === 0) return read.data;
  const invalid = new Set([...withControls, ...(read.error?.issues ?? []).map(({ path }) => String(path[0]))]);
  const described = describeSettings(settings);
  const problems = [...invalid].map((name) =>
    withControls.includes(name)
      ? `${name} must not contain control characters`
      : `${name} must be ${described[name]?.form}, not ${shownSetting(present[name] ?? "", described[name])}`,
  );
  throw new UsageError(problems.join("; "));
}

const MAX_SHOWN = 100;

/** A value for a message: shortened, and an address without its user, password and query. */
const shown = (value: string): string =>
  JSON.stringify(
    value
      .replace(/\/\/[^/]*@/, "//…@")
      .replace(/(:\/\/.*)\?.*/, "$1?…")
      .slice(0, MAX_SHOWN),
  );

/** As `shown`; for a secret, says only that it is set. */
export const shownSetting = (value: string, described: Described | undefined): string =>
  described?.secret === true ? "set" : shown(value);

/** Short names resemble common variables (`TERM`, `HOME`): only long names may differ. */
const maxEdits = (name: string): number => Math.min(2, Math.floor(name.length / 6));

/** Returns a warning for each unknown variable that resembles a known one. */
export function warnOfMisspelled(settings: Settings, env: Environment): string[] {
  const names = Object.keys(settings.shape);
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || !env[name]?.trim()) return [];
    const [closest] = closestNames(name, names, maxEdits);
    return closest === undefined ? [] : [`${name} is not a known variable; did you mean ${closest}?`];
  });
}
