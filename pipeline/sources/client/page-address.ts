/** Addresses of pages, on the web or in a local copy: a folder of pages that `file:` names. */
import { isOwnHost } from "./own-host.ts";

/** The address as a folder: links and page names are resolved below it. */
export function asFolder(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.pathname}/${url.search}`, url);
}

/** A local folder's page is its `index.html`. */
export function pageAt(url: URL): URL {
  return url.protocol === "file:" && url.pathname.endsWith("/") ? new URL("index.html", url) : url;
}

/**
 * Resolves a link on `page`; `folder` is the system's address. In a local copy, links from the site's root
 * (`/allcourses/…`) are resolved in the folder. Undefined for invalid addresses, other hosts and schemes, and
 * fragments.
 */
export function linkFrom(page: URL, href: string, folder: URL): URL | undefined {
  if (href.startsWith("#")) return undefined;
  const isLocal = page.protocol === "file:";
  const link = isLocal && href.startsWith("/") ? resolve(`.${href}`, folder) : resolve(href, page);
  if (!link || !(isLocal ? link.protocol === "file:" && link.host === page.host : isOwnHost(link, page)))
    return undefined;
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
