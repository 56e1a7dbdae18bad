/** The links of an index page of grade exports. */
import { basename } from "node:path";
import { load } from "cheerio";
import type { Tally } from "../contract/tally.ts";
import type { UpstreamResponse } from "./http.ts";

export interface ExportLink {
  /** The file's name, unique in its index: what the report calls it. */
  readonly name: string;
  readonly url: URL;
}

/** What an export is called. */
export const EXPORT_NAME = /\.(?:csv|xlsx)$/i;

/**
 * The exports that a page links to, in its order, each once. Links that leave the page's host are noted and left alone.
 */
export function findExportLinks({ body, url }: UpstreamResponse, tally: Tally): ExportLink[] {
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

/** The file's name at the end of an address, never with a path in it. */
export function exportName(url: URL): string {
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
  let name = exportName(url);
  while (taken.has(name)) name = `${folders.pop() ?? "again"} ${name}`;
  return name;
}
