/**
 * The records office: an index page of grade exports (.csv, .xlsx), a folder of them, or files that an operator dropped into `data/grades/`.
 * The office itself answers requests with such files by e-mail; an operator puts them behind an address or into a folder.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UpstreamBadResponse } from "../errors.ts";
import type { Tally } from "../contract/tally.ts";
import { EXPORT_NAME, exportName, findExportLinks, type ExportLink } from "./export-links.ts";
import type { Client } from "./http.ts";

/** What an earlier fetch learnt, sent back so that an unchanged export costs nothing. */
export interface KnownExport {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface FetchedExport extends KnownExport {
  readonly name: string;
  readonly bytes: Buffer;
  /** Of the bytes, in hex: servers without entity tags send the same file again. */
  readonly sha256: string;
}

/** Files that are not for reading: hidden ones, a spreadsheet's lock beside the open file, the folder's own description. */
const IGNORED_NAME = /^(?:\.|~\$|readme\b)/i;

/**
 * The exports that an address offers, in its order: the links of an index page, the files of a local folder, or the address itself when it is an export.
 * Links that leave the index's host are noted and left alone.
 * @param url a web address, a `file:` address or a path
 * @throws UpstreamBadResponse when there is not one export; what the client throws
 */
export async function readRecordsIndex(client: Client, url: URL | string, tally: Tally): Promise<ExportLink[]> {
  const address = toUrl(url);
  if (EXPORT_NAME.test(address.pathname)) return [{ name: exportName(address), url: address }];
  if (address.protocol === "file:" && (await isFolder(address))) {
    const names = await exportNames(fileURLToPath(address), tally);
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
 * Fetches one export, unless the server says that it is still what `known` describes. A server that sends the same file again is told by its hash.
 * A text without a line break at its end is whole from some programs and cut off from a failing server: it is asked for twice, and the longer taken.
 * @throws UpstreamBadResponse when the response is empty, a web page, or ends in the middle; what the client throws
 */
export async function fetchExport(
  client: Client,
  link: ExportLink,
  known: KnownExport = {},
): Promise<FetchedExport | "unchanged"> {
  const first = await fetchOnce(client, link, known);
  if (first === "unchanged" || isWorkbook(first.bytes) || endsWithLineBreak(first.bytes)) return first;
  const second = await fetchOnce(client, link, known);
  return second !== "unchanged" && second.bytes.length > first.bytes.length ? second : first;
}

function fetchOnce(client: Client, link: ExportLink, known: KnownExport): Promise<FetchedExport | "unchanged"> {
  const headers: Record<string, string> = {
    ...(known.etag === undefined ? {} : { "If-None-Match": known.etag }),
    ...(known.lastModified === undefined ? {} : { "If-Modified-Since": known.lastModified }),
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

const endsWithLineBreak = (bytes: Buffer): boolean => ["\n", "\r"].includes(bytes.toString("latin1", bytes.length - 1));
const isWorkbook = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 4) === "PK\x03\x04";

const optional = <K extends keyof KnownExport>(key: K, value: string | null): { [P in K]?: string } =>
  (value === null ? {} : { [key]: value }) as { [P in K]?: string };

const toExport = (name: string, bytes: Buffer): FetchedExport => ({
  name,
  bytes,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** What can be said of a wrong response at first sight, so that the request is asked again; everything else is the parser's to judge. */
function faultOf(body: Buffer): string | undefined {
  if (body.length === 0) return "the file is empty";
  const start = body.toString("latin1", 0, 64);
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html)/i.test(start)) return "a web page came in place of the file";
  if (isWorkbook(body)) {
    // A zip archive ends with its directory; a comment of at most 65,535 bytes may follow.
    return body.subarray(-65_600).lastIndexOf("PK\x05\x06", undefined, "latin1") < 0
      ? "the workbook is cut off"
      : undefined;
  }
  return endsInARow(body) ? "the file is cut off in its last row" : undefined;
}

/** Whether a text file's last line has no end and fewer columns than its first: a whole file's last row has either. */
function endsInARow(body: Buffer): boolean {
  const [firstEnd, lastStart] = [body.indexOf("\n"), body.lastIndexOf("\n") + 1];
  if (firstEnd < 0 || lastStart === body.length) return false;
  return countSeparators(body.subarray(lastStart)) < countSeparators(body.subarray(0, firstEnd));
}

const countSeparators = (line: Buffer): number => line.toString("latin1").replace(/[^,;\t]/g, "").length;

/**
 * The exports in the drop folder, by name, one in memory at a time; none when there is no such folder. A file that cannot be read is damage, files of
 * other kinds are noted: they were meant to be read.
 */
export async function* readDroppedExports(
  folder: string,
  tally: Tally,
): AsyncGenerator<FetchedExport, void, undefined> {
  if (!(await isFolder(pathToFileURL(resolve(folder))))) return;
  for (const name of await exportNames(folder, tally)) {
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    if (bytes) yield toExport(name, bytes);
    else tally.damage(`${name}: the file cannot be read`);
  }
}

/** By name, with numbers as numbers: `2` before `10`, an older year before a newer one. */
const compareNames = new Intl.Collator("en", { numeric: true }).compare;

async function exportNames(folder: string, tally: Tally): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (IGNORED_NAME.test(entry.name)) continue;
    if (EXPORT_NAME.test(entry.name) && !entry.isDirectory()) names.push(entry.name);
    else tally.note("neither .csv nor .xlsx, not read", entry.name);
  }
  return names.sort(compareNames);
}

/**
 * Orders deliveries oldest first, the order in which a later one corrects an earlier: undated ones before dated ones, then by date, then by name. Files
 * of the drop folder bear no date; an operator who drops one means it, so they come after everything that was fetched.
 */
export function compareDeliveries(
  a: Pick<FetchedExport, "name" | "lastModified">,
  b: Pick<FetchedExport, "name" | "lastModified">,
): number {
  return dateOf(a) - dateOf(b) || compareNames(a.name, b.name);
}

/** Milliseconds since 1970; 0 without a (readable) date. */
const dateOf = ({ lastModified }: KnownExport): number => Date.parse(lastModified ?? "") || 0;
