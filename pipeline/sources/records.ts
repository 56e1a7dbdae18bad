/**
 * Grade exports (.csv, .xlsx) of the records office: an index page, a folder, or files in `data/grades/`. The office
 * sends them by e-mail; an operator publishes them at an address or in a folder.
 */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UpstreamBadResponse } from "../errors.ts";
import { decodeText } from "../text/decode-text.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { readRegularFile } from "../regular-files.ts";
import { EXPORT_ENDINGS, exportName, findExportLinks, type ExportLink } from "./export-links.ts";
import type { Client } from "./client/http.ts";
import { compareNames, droppedNames, endsIn, hasDropped } from "./dropped-files.ts";

/** The validators of an earlier fetch, for a conditional request. */
export interface KnownExport {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface FetchedExport extends KnownExport {
  readonly name: string;
  readonly bytes: Buffer;
  /** In hex; identifies an unchanged file from a server without entity tags. */
  readonly sha256: string;
}

/**
 * Returns the exports at an address: the links of an index page, the files of a local folder, or the address itself
 * when it is an export. Links to other hosts are noted and skipped.
 * @param url a web address, a `file:` address or a path
 * @throws UpstreamBadResponse when there is no export; errors of the client
 */
export async function readRecordsIndex(client: Client, url: URL | string, tally: Tally): Promise<ExportLink[]> {
  const address = toUrl(url);
  if (endsIn(address.pathname, EXPORT_ENDINGS)) return [{ name: exportName(address), url: address }];
  if (address.protocol === "file:" && (await isFolder(address))) {
    const names = await droppedNames(fileURLToPath(address), EXPORT_ENDINGS, tally);
    if (names.length === 0) throw new UpstreamBadResponse(client.system, "the folder holds no .csv or .xlsx export");
    return names.map((name) => ({ name, url: pathToFileURL(join(fileURLToPath(address), name)) }));
  }
  return client.request({ url: address, follow: true }, (response) => {
    const links = findExportLinks(response, tally);
    if (links.length === 0)
      throw new UpstreamBadResponse(client.system, "the index page offers no .csv or .xlsx export");
    return links;
  });
}

function toUrl(url: URL | string): URL {
  if (typeof url !== "string") return url;
  return /^(?:https?|file):/i.test(url) ? new URL(url) : pathToFileURL(resolve(url));
}

async function isFolder(url: URL): Promise<boolean> {
  return (await stat(url).catch(() => undefined))?.isDirectory() ?? false;
}

/**
 * Fetches an export by a conditional request. A text without a final line break may be truncated: it is fetched twice,
 * and the longer response is used.
 * @throws UpstreamBadResponse when the response is empty, a web page, or truncated; errors of the client
 */
export async function fetchExport(
  client: Client,
  link: ExportLink,
  previous: KnownExport = {},
): Promise<FetchedExport | "unchanged"> {
  const first = await fetchOnce(client, link, previous);
  if (first === "unchanged" || isWorkbook(first.bytes) || endsWithLineBreak(readText(first.bytes))) return first;
  const second = await fetchOnce(client, link, previous);
  return second !== "unchanged" && second.bytes.length > first.bytes.length ? second : first;
}

function fetchOnce(client: Client, link: ExportLink, previous: KnownExport): Promise<FetchedExport | "unchanged"> {
  const headers: Record<string, string> = {
    ...(previous.etag === undefined ? {} : { "If-None-Match": previous.etag }),
    ...(previous.lastModified === undefined ? {} : { "If-Modified-Since": previous.lastModified }),
  };
  const conditional = Object.keys(headers).length > 0;
  return client.request({ url: link.url, headers, follow: true, accept: conditional ? [304] : [] }, (response) => {
    if (response.status === 304) return "unchanged" as const;
    const fault = faultOf(response.body);
    if (fault !== undefined) throw new UpstreamBadResponse(client.system, `${link.name}: ${fault}`);
    return {
      ...toExport(link.name, response.body),
      ...optional("etag", response.headers.get("etag")),
      ...optional("lastModified", response.headers.get("last-modified")),
    };
  });
}

/** The parser reports damaged text. */
function readText(bytes: Buffer): string {
  try {
    return decodeText({ system: "records", bytes, kind: "csv" });
  } catch {
    return bytes.toString("latin1");
  }
}

const endsWithLineBreak = (text: string): boolean => /[\r\n]$/.test(text);
const isWorkbook = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 4) === "PK\x03\x04";

const optional = <K extends keyof KnownExport>(key: K, value: string | null): { [P in K]?: string } =>
  (value === null ? {} : { [key]: value }) as { [P in K]?: string };

const toExport = (name: string, bytes: Buffer): FetchedExport => ({
  name,
  bytes,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** Finds a fault that is visible without parsing, so that the request is retried. */
function faultOf(body: Buffer): string | undefined {
  if (body.length === 0) return "the file is empty";
  if (isWorkbook(body)) {
    // A zip archive ends with its central directory and a comment of at most 65,535 bytes.
    return body.subarray(-65_600).lastIndexOf("PK\x05\x06", undefined, "latin1") < 0
      ? "the workbook is cut off"
      : undefined;
  }
  const text = readText(body);
  if (/^\s*<(?:!doctype|html)/i.test(text)) return "the response is a web page instead of the file";
  return endsInARow(text) ? "the file is cut off in its last row" : undefined;
}

/** True when the last line has no line break and fewer columns than the first. */
function endsInARow(text: string): boolean {
  const [firstEnd, lastStart] = [text.indexOf("\n"), text.lastIndexOf("\n") + 1];
  if (firstEnd < 0 || lastStart === text.length) return false;
  return countSeparators(text.slice(lastStart)) < countSeparators(text.slice(0, firstEnd));
}

const countSeparators = (line: string): number => line.replace(/[^,;\t|]/g, "").length;

/** True also when the entries cannot be read. */
export const hasDroppedExports = (folder: string): Promise<boolean> => hasDropped(folder, EXPORT_ENDINGS);

/**
 * Yields the exports in the drop folder by name, one in memory at a time; none when there is no such folder. An
 * unreadable file is damage, files of other kinds are noted.
 */
export async function* readDroppedExports(
  folder: string,
  tally: Tally,
): AsyncGenerator<FetchedExport, void, undefined> {
  for (const name of await droppedNames(folder, EXPORT_ENDINGS, tally)) {
    const bytes = await readRegularFile(join(folder, name)).catch(() => undefined);
    if (bytes) yield toExport(name, bytes);
    else tally.damage(`${name}: the file cannot be read`);
  }
}

/**
 * Orders fetched deliveries oldest first, as a later delivery corrects an earlier one: undated ones first, then by
 * date, then by name. Dropped files come after all of them.
 */
export function compareDeliveries(
  a: Pick<FetchedExport, "name" | "lastModified">,
  b: Pick<FetchedExport, "name" | "lastModified">,
): number {
  return dateOf(a) - dateOf(b) || compareNames(a.name, b.name);
}

/** Milliseconds since 1970; 0 without a valid date. */
const dateOf = ({ lastModified }: KnownExport): number => Date.parse(lastModified ?? "") || 0;
