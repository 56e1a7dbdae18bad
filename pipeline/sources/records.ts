/**
 * The records office: an index page of grade exports (.csv, .xlsx), a folder of them, or files that an operator dropped into `data/grades/`.
 * The office itself answers requests with such files by e-mail; an operator puts them behind an address or into a folder.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "cheerio";
import { UpstreamBadAnswer } from "../errors.ts";
import type { Tally } from "../report.ts";
import type { Answer, Client } from "./http.ts";

export interface ExportLink {
  /** The file's name, unique in its index: what the report calls it. */
  readonly name: string;
  readonly url: URL;
}

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

const EXPORT_NAME = /\.(?:csv|xlsx)$/i;

/** Files that are not for reading: hidden ones, a spreadsheet's lock beside the open file, the folder's own description. */
const IGNORED_NAME = /^(?:\.|~\$|readme\b)/i;

/**
 * The exports that an address offers, in its order: the links of an index page, the files of a local folder, or the address itself when it is an export.
 * Links that leave the index's host are noted and left alone.
 * @param url a web address, a `file:` address or a path
 * @throws UpstreamBadAnswer when there is not one export; what the client throws
 */
export async function readRecordsIndex(client: Client, url: URL | string, tally: Tally): Promise<ExportLink[]> {
  const address = toUrl(url);
  if (EXPORT_NAME.test(address.pathname)) return [{ name: nameOf(address), url: address }];
  if (address.protocol === "file:" && (await isFolder(address))) {
    const names = await exportNames(fileURLToPath(address), tally);
    if (names.length === 0) throw new UpstreamBadAnswer(client.system, "the folder holds no .csv or .xlsx export");
    return names.map((name) => ({ name, url: pathToFileURL(join(fileURLToPath(address), name)) }));
  }
  return client.ask({ url: address, follow: true }, (answer) => {
    const links = parseIndex(answer, tally);
    if (links.length === 0) throw new UpstreamBadAnswer(client.system, "the index page offers no .csv or .xlsx export");
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

function parseIndex({ body, url }: Answer, tally: Tally): ExportLink[] {
  const $ = load(body.toString("utf8"));
  const base = resolveLink($("base[href]").attr("href") ?? "", url) ?? url;
  const links = new Map<string, URL>();
  const seen = new Set<string>();
  for (const anchor of $("a[href]")) {
    const link = resolveLink($(anchor).attr("href") ?? "", base);
    if (!link || !EXPORT_NAME.test(link.pathname)) continue;
    link.hash = "";
    if (seen.has(link.href)) continue;
    seen.add(link.href);
    if (!isNear(link, url)) tally.note("an export on another host, not fetched", link.href);
    else links.set(freeName(link, links), link);
  }
  return [...links].map(([name, link]) => ({ name, url: link }));
}

function resolveLink(href: string, base: URL): URL | undefined {
  return URL.canParse(href.trim(), base.href) ? new URL(href.trim(), base) : undefined;
}

/** The same host, or one below or above it (`files.example.edu` beside `example.edu`), by http or https; a local page links local files. */
function isNear(link: URL, index: URL): boolean {
  if (index.protocol === "file:" || link.protocol === "file:") return index.protocol === link.protocol;
  if (link.protocol !== "http:" && link.protocol !== "https:") return false;
  const [a, b] = [link.hostname, index.hostname].map((host) => host.replace(/^www\./, "")) as [string, string];
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

function nameOf(url: URL): string {
  let path = url.pathname;
  try {
    path = decodeURIComponent(path);
  } catch {
    // A stray percent sign: the name stays as the link spells it.
  }
  return basename(path.replaceAll("\\", "/"));
}

/** The link's file name; where another folder's export has it already, with the folders in front until it is one of a kind. */
function freeName(url: URL, taken: ReadonlyMap<string, URL>): string {
  const folders = url.pathname
    .split("/")
    .slice(0, -1)
    .filter((folder) => folder !== "");
  let name = nameOf(url);
  while (taken.has(name)) name = `${folders.pop() ?? "again"} ${name}`;
  return name;
}

/**
 * Fetches one export, unless the server says that it is still what `known` describes. A server that sends the same file again is told by its hash.
 * @throws UpstreamBadAnswer when the answer is empty, a web page, or a workbook whose end is missing; what the client throws
 */
export function fetchExport(
  client: Client,
  link: ExportLink,
  known: KnownExport = {},
): Promise<FetchedExport | "unchanged"> {
  const headers: Record<string, string> = {
    ...(known.etag === undefined ? {} : { "If-None-Match": known.etag }),
    ...(known.lastModified === undefined ? {} : { "If-Modified-Since": known.lastModified }),
  };
  const conditional = Object.keys(headers).length > 0;
  return client.ask({ url: link.url, headers, follow: true, accept: conditional ? [304] : [] }, (answer) => {
    if (answer.status === 304) return "unchanged" as const;
    const fault = faultOf(answer.body);
    if (fault !== undefined) throw new UpstreamBadAnswer(client.system, `${link.name}: ${fault}`);
    return {
      ...toExport(link.name, answer.body),
      ...optional("etag", answer.headers.get("etag")),
      ...optional("lastModified", answer.headers.get("last-modified")),
    };
  });
}

const optional = <K extends keyof KnownExport>(key: K, value: string | null): { [P in K]?: string } =>
  (value === null ? {} : { [key]: value }) as { [P in K]?: string };

const toExport = (name: string, bytes: Buffer): FetchedExport => ({
  name,
  bytes,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** What can be said of a wrong answer at first sight, so that the question is asked again; everything else is the parser's to judge. */
function faultOf(body: Buffer): string | undefined {
  if (body.length === 0) return "the file is empty";
  const start = body.toString("latin1", 0, 64);
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html)/i.test(start)) return "a web page came in place of the file";
  if (start.startsWith("PK\x03\x04")) {
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
  const separators = (line: Buffer) => line.toString("latin1").replace(/[^,;\t]/g, "").length;
  return separators(body.subarray(lastStart)) < separators(body.subarray(0, firstEnd));
}

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
const collator = new Intl.Collator("en", { numeric: true });

async function exportNames(folder: string, tally: Tally): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (IGNORED_NAME.test(entry.name)) continue;
    if (EXPORT_NAME.test(entry.name) && !entry.isDirectory()) names.push(entry.name);
    else tally.note("neither .csv nor .xlsx, not read", entry.name);
  }
  return names.sort((a, b) => collator.compare(a, b) || (a < b ? -1 : 1));
}
