/**
 * Environment variables as zod schemas. Error messages and the README's table are generated from each schema's `form` and description.
 */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { closestNames } from "./closest-names.ts";
import { UsageError } from "../errors.ts";
import { LOG_LEVELS } from "../log.ts";
import type { AwsSettings } from "../stores/signed-fetch.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One property for each variable; every input is text. */
export type Settings = z.ZodObject;

/** The JSON schema of one variable, for README and error messages. */
interface Described {
  readonly form?: string;
  readonly default?: string;
  readonly description?: string;
}

export const describeSettings = (settings: Settings): Record<string, Described> =>
  z.toJSONSchema(settings, { io: "input" }).properties as Record<string, Described>;

/** Parses the variables; blank ones count as absent. @throws UsageError that names every invalid one */
export function readSettings<S extends Settings>(settings: S, env: Environment): z.output<S> {
  const given = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => {
      const value = env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
  const withControls = Object.keys(given).filter((name) => /\p{Cc}/u.test(given[name] ?? ""));
  const read = settings.safeParse(given);
  if (read.success && withControls.length === 0) return read.data;
  const invalid = new Set([...withControls, ...(read.error?.issues ?? []).map(({ path }) => String(path[0]))]);
  const described = describeSettings(settings);
  const problems = [...invalid].map((name) =>
    withControls.includes(name)
      ? `${name} must not contain control characters`
      : `${name} must be ${described[name]?.form}, not ${shown(given[name] ?? "")}`,
  );
  throw new UsageError(problems.join("; "));
}

const MAX_SHOWN = 100;

/** A value for an error message: shortened, and without the password of an address. */
const shown = (value: string): string => JSON.stringify(value.replace(/\/\/[^/@]*@/, "//…@").slice(0, MAX_SHOWN));

/** Short names resemble common variables (`TERM`, `HOME`): only long ones may differ. */
const maxEdits = (name: string): number => Math.min(2, Math.floor(name.length / 6));

/** A warning for each unknown variable that resembles a known one. */
export function warnOfMisspelled(settings: Settings, env: Environment): string[] {
  const known = Object.keys(settings.shape);
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name) || !env[name]?.trim()) return [];
    const [closest] = closestNames(name, known, maxEdits);
    return closest === undefined ? [] : [`${name} is not a known variable; did you mean ${closest}?`];
  });
}

export const whole = (least: number, most: number) =>
  z.coerce
    .number<string>()
    .int()
    .min(least)
    .max(most)
    .meta({ form: `a whole number from ${least} to ${most}` });

export const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values).meta({ form: values.length === 1 ? values[0] : `one of ${values.join(", ")}` });

export const onOff = () =>
  z
    .enum(["1", "0", "true", "false"])
    .transform((text) => text === "1" || text === "true")
    .meta({ form: "1 or 0" });

export const folder = () =>
  z
    .string()
    .refine(canBeFolder)
    .transform((path) => resolve(path))
    .meta({ form: "a folder" });

/** A folder, or a path that does not exist yet. */
function canBeFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** A value that `read` parses; it returns undefined for an invalid one. */
export const parsed = <T>(form: string, read: (text: string) => T | undefined) =>
  z
    .string()
    .transform((text, { issues }): T => {
      const value = read(text);
      if (value !== undefined) return value;
      issues.push({ code: "custom", input: text });
      return z.NEVER;
    })
    .meta({ form });

export const address = () => parsed("an http or https address, or an existing file or folder", toUrl);

function toUrl(text: string): URL | undefined {
  if (/^https?:/i.test(text)) return URL.canParse(text) ? new URL(text) : undefined;
  const url = /^file:/i.test(text) ? (URL.canParse(text) ? new URL(text) : undefined) : pathToFileURL(resolve(text));
  return url && existsSync(url) ? url : undefined;
}

/** `s3://bucket/prefix`, an existing folder, or for what is only read a web address. */
function toStoreUrl(text: string, protocols: RegExp): URL | undefined {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    return protocols.test(text) && URL.canParse(text) && !/[?#@]/.test(text) ? new URL(text) : undefined;
  return canBeFolder(text) && /[/.]/.test(text) ? pathToFileURL(resolve(text)) : undefined;
}

/** Where snapshots are published to. */
export const storeAddress = () =>
  parsed("s3://bucket/prefix or a folder such as /srv/lake", (text) => toStoreUrl(text, /^s3:\/\/[^/]/i));

const awsText = (form: string) => z.string().meta({ form });

/** The variables of both programs. */
export const SHARED_SETTINGS = {
  SCHEDULE_URL: address().describe("the schedule system's search form").optional(),
  ARTIFACTS_DIR: folder().prefault("artifacts").describe("where the published data is"),
  UPSTREAM_TIMEOUT_MS: whole(1, 600_000).prefault("15000").describe("the longest wait for an upstream's response"),
  UPSTREAM_MAX_MB: whole(1, 2_000)
    .prefault("50")
    .describe("the largest response of an upstream in megabytes, after inflating; a larger one is cut off"),
  FOLLOW_URL: parsed("the web address of a server, s3://bucket/prefix or a folder such as /srv/lake", (text) =>
    toStoreUrl(text, /^(?:https?|s3):\/\/[^/]/i),
  )
    .describe("another server, or what was published elsewhere, whose snapshots are copied instead of building any")
    .optional(),
  AWS_ENDPOINT_URL: parsed("a web address", (text) => (/^https?:\/\//i.test(text) ? toUrl(text) : undefined))
    .describe("an S3 service other than Amazon's (also `AWS_ENDPOINT_URL_S3`)")
    .optional(),
  AWS_ENDPOINT_URL_S3: parsed("a web address", (text) => (/^https?:\/\//i.test(text) ? toUrl(text) : undefined))
    .describe("takes precedence over `AWS_ENDPOINT_URL`")
    .optional(),
  AWS_REGION: awsText("a region").describe("the bucket's region (also `AWS_DEFAULT_REGION`)").optional(),
  AWS_DEFAULT_REGION: awsText("a region").prefault("us-east-1").describe("where `AWS_REGION` is not set"),
  AWS_ACCESS_KEY_ID: awsText("a key id").describe("without it requests are not signed: a public bucket").optional(),
  AWS_SECRET_ACCESS_KEY: awsText("a secret").describe("belongs to the key id").optional(),
  AWS_SESSION_TOKEN: awsText("a token").describe("of temporary credentials").optional(),
  AWS_S3_FORCE_PATH_STYLE: onOff()
    .describe("`1`: the bucket stands in the path, not in the host name; by default with an endpoint of one's own")
    .optional(),
  LOG_LEVEL: choice(LOG_LEVELS).prefault("info").describe("the least severe messages in the log"),
};

const awsSettings = z.object(SHARED_SETTINGS).pick({
  AWS_ENDPOINT_URL: true,
  AWS_ENDPOINT_URL_S3: true,
  AWS_REGION: true,
  AWS_DEFAULT_REGION: true,
  AWS_ACCESS_KEY_ID: true,
  AWS_SECRET_ACCESS_KEY: true,
  AWS_SESSION_TOKEN: true,
  AWS_S3_FORCE_PATH_STYLE: true,
});

/** How a bucket is reached. @throws UsageError for a key id without its secret */
export function readAws(read: z.output<typeof awsSettings>): AwsSettings {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = read;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new UsageError("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are needed together");
  return {
    endpoint: read.AWS_ENDPOINT_URL_S3 ?? read.AWS_ENDPOINT_URL,
    region: read.AWS_REGION ?? read.AWS_DEFAULT_REGION,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey, ...(token === undefined ? {} : { sessionToken: token }) },
    pathStyle: read.AWS_S3_FORCE_PATH_STYLE,
  };
}
