/** Kinds of values: each parses a text and describes its form. */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

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

/** True for a folder, or a path that does not exist yet. */
function canBeFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** A value that `read` parses; `read` returns undefined for an invalid value. */
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

/** The value of an address whose system is gone. */
export const CLOSED = "none";

export const address = () =>
  parsed("an http or https address, an existing file or folder, or none if the system is gone", toAddress);

function toAddress(text: string): URL | typeof CLOSED | undefined {
  if (text.toLowerCase() === CLOSED) return CLOSED;
  if (/^https?:/i.test(text)) return URL.canParse(text) ? new URL(text) : undefined;
  const url = /^file:/i.test(text) ? (URL.canParse(text) ? new URL(text) : undefined) : pathToFileURL(resolve(text));
  return url && existsSync(url) ? url : undefined;
}

export const webAddress = () =>
  parsed("a web address", (text) => (/^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined));

/** Parses `s3://bucket/prefix`, an existing folder, or, for a source that is only read, a web address. */
function toStoreUrl(text: string, protocols: RegExp): URL | undefined {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    return protocols.test(text) && URL.canParse(text) && !/[?#@]/.test(text) ? new URL(text) : undefined;
  return canBeFolder(text) && /[/.]/.test(text) ? pathToFileURL(resolve(text)) : undefined;
}

/** The address to which snapshots are published. */
export const storeAddress = () =>
  parsed("s3://bucket/prefix or a folder such as /srv/lake", (text) => toStoreUrl(text, /^s3:\/\/[^/]/i));

/** The address of a source to replicate. */
export const sourceAddress = () =>
  parsed("the web address of a server, s3://bucket/prefix or a folder such as /srv/lake", (text) =>
    toStoreUrl(text, /^(?:https?|s3):\/\/[^/]/i),
  );
