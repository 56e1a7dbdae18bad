/** The links of an index page of grade exports. */
import { basename } from "node:path";
import { load } from "cheerio";
import type { Tally } from "../contract/documents/tally.ts";
import type { UpstreamResponse } from "./client/exchange.ts";
import { responseText } from "./client/page-text.ts";
import { endsIn } from "./dropped-files.ts";

export interface ExportLink {
  /** The file's name, unique in its index, for the report. */
  readonly name: string;
  readonly url: URL;
}

export const EXPORT_ENDINGS = [".csv", ".xlsx"];

/** The exports that a page links to, in its order, without duplicates. Links to other hosts are noted and skipped. */
export function findExportLinks(response: UpstreamResponse, tally: Tally): ExportLink[] {
  const { url } = response;
  const $ = load(responseText(response));
  const base = resolveLink($("base[href]").attr("href") ?? "", url) ?? url;
  const links = new Map<string, URL>();
  const seen = new Set<string>();
  for (const anchor of $("a[href]")) {
    const link = resolveLink($(anchor).attr("href") ?? "", base);
    if (!link || !endsIn(link.pathname, EXPORT_ENDINGS)) continue;
    link.hash = "";
    if (seen.has(link.href)) continue;
    seen.add(link.href);
    if (!isSameSite(link, url)) tally.note("an export on another host, not fetched", link.href);
    else links.set(uniqueName(link, links), link);
  }
  return [...links].map(([name, link]) => ({ name, url: link }));
}

function resolveLink(href: string, base: URL): URL | undefined {
  return URL.canParse(href.trim(), base.href) ? new URL(href.trim(), base) : undefined;
}

/**
 * True for the same host, a subdomain or a parent domain, on the same port, by http or https; a local page links local
 * files.
 */
function isSameSite(link: URL, index: URL): boolean {
  if (index.protocol === "file:" || link.protocol === "file:") return index.protocol === link.protocol;
  if (link.protocol !== "http:" && link.protocol !== "https:") return false;
  // The port is empty when it is the scheme's default.
  if (link.port !== index.port) return false;
  if (link.username !== "" && (link.username !== index.username || link.password !== index.password)) return false;
  const [a, b] = [link.hostname, index.hostname].map((host) => host.replace(/^www\./, "")) as [string, string];
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

/** The file name in an address, without any path separator. */
export function exportName(url: URL): string {
  let path = url.pathname;
  try {
    path = decodeURIComponent(path);
  } catch {
    // A stray percent sign: keep the name as it is.
  }
  return basename(path.replaceAll("\\", "/"));
}

/** The link's file name, prefixed with its folders until it is unique. */
function uniqueName(url: URL, taken: ReadonlyMap<string, URL>): string {
  const folders = url.pathname
    .split("/")
    .slice(0, -1)
    .filter((folder) => folder !== "");
  let name = exportName(url);
  while (taken.has(name)) name = `${folders.pop() ?? "again"} ${name}`;
  return name;
}
