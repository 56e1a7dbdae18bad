/** Kinds of values: each parses a text and describes its form. */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
    .transform((text) => resolve(pathOf(text) ?? text))
    .meta({ form: "a folder" });

/** The path of a path or `file:` URL; undefined for a URL that is no path of this machine. */
function pathOf(text: string): string | undefined {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

/** True for a folder, or a path that does not exist yet. */
function canBeFolder(text: string): boolean {
  const path = pathOf(text);
  if (path === undefined) return false;
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
  if (/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    // In a bucket `%` is a character like others, and keys are compared literally.
    const url = /^s3:/i.test(text) ? text.replaceAll("%", "%25") : text;
    return protocols.test(text) && URL.canParse(url) && !/[?#@]/.test(text) ? new URL(url) : undefined;
  }
  return canBeFolder(text) && /[/.]/.test(text) ? pathToFileURL(resolve(pathOf(text) ?? text)) : undefined;
}

/** The address to which snapshots are published. */
export const storeAddress = () =>
  parsed("s3://bucket/prefix or a folder such as /srv/lake", (text) => toStoreUrl(text, /^s3:\/\/[^/]/i));

/** The address of a source to replicate. */
export const sourceAddress = () =>
  parsed("the web address of a server, s3://bucket/prefix or a folder such as /srv/lake", (text) =>
    toStoreUrl(text, /^(?:https?|s3):\/\/[^/]/i),
  );
