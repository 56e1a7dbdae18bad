/** Addresses of pages, on the web or in a local copy: a folder of pages that `file:` names. */
import { type UpstreamResponse, charsetOf } from "./http.ts";

/** The address as a folder: links and page names are resolved below it. */
export function asFolder(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.pathname}/${url.search}`, url);
}

/** The page that stands for an address: a local folder's is its `index.html`. */
export function pageAt(url: URL): URL {
  return url.protocol === "file:" && url.pathname.endsWith("/") ? new URL("index.html", url) : url;
}

/**
 * Where a link of `page` leads; `folder` is the system's own address. In a local copy, links from the root of the site (`/allcourses/…`) are read
 * from the folder. Undefined for what is no address, leads elsewhere (another host, `mailto:`), or to a place on the same page.
 */
export function linkFrom(page: URL, href: string, folder: URL): URL | undefined {
  if (href.startsWith("#")) return undefined;
  const isLocal = page.protocol === "file:";
  const link = isLocal && href.startsWith("/") ? resolve(`.${href}`, folder) : resolve(href, page);
  if (!link || link.protocol !== page.protocol || link.host !== page.host) return undefined;
  link.hash = "";
  return link;
}

function resolve(href: string, base: URL): URL | undefined {
  try {
    return new URL(href, base);
  } catch {
    return undefined;
  }
}

/** The body as text, in the character set that the response names; UTF-8 when it names none or an unknown one. */
export function responseText(response: UpstreamResponse): string {
  try {
    return new TextDecoder(charsetOf(response) ?? "utf-8").decode(response.body);
  } catch {
    return response.body.toString("utf8");
  }
}
