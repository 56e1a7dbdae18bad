/** Addresses of the time when everything stood on one page: `/?q=…#course/…?term=…`. */
import {
  courseAddress,
  departmentAddress,
  findAddress,
  instructorAddress,
  sectionAddress,
  viewAddress,
} from "./addresses.ts";
import { termQuery } from "./term-names.ts";

/** The address of the view that took its place; undefined for an address of today. */
export function formerAddress({
  hash,
  search,
  pathname,
}: Readonly<Record<"hash" | "search" | "pathname", string>>): string | undefined {
  const [, kind, rest = "", query] = /^#(\w+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash) ?? [];
  const term = new URLSearchParams(query).get("term") ?? "";
  const id = decode(rest);
  switch (kind) {
    case "course":
      return courseAddress(id, { term });
    case "instructor":
      return instructorAddress(id);
    case "department":
      return departmentAddress(id);
    case "section":
      return term === "" ? findAddress({ q: id }) : sectionAddress({ ...termQuery(term), code: id });
    case "sql":
      return viewAddress("/sql", { q: new URLSearchParams(query).get("statement") ?? undefined });
    case "contents":
      return viewAddress("/data");
    case "endpoints":
      return viewAddress("/docs");
    default: {
      const q = new URLSearchParams(search).get("q");
      return q && pathname.split("/").at(-1) === "" ? findAddress({ q }) : undefined;
    }
  }
}

/** An id that cannot be decoded stays as it is; its view says that there is no such thing. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
