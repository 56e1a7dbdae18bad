/**
 * Builds an Atom feed of changes (RFC 4287) in pages (RFC 5005). All links are absolute, because half of the readers do
 * not resolve relative ones.
 */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { courseId } from "../../../pipeline/contract/course-name.ts";
import { BASE } from "../../response/endpoint.ts";
import { escapeMarkup } from "../../response/escape-markup.ts";
import { normalizedQuery } from "../../response/query.ts";
import type { Change } from "../../response/shapes/shapes.ts";
import { type ChangeValues, onlyOf, onlySection } from "./change-filters.ts";

type ServedChange = z.infer<typeof Change>;

const MAX_VALUE_LENGTH = 500;

interface Feed {
  readonly title: string;
  readonly values: ChangeValues;
  /** When the snapshot of the changes was published, in ISO 8601. */
  readonly createdAt: string;
  /** The feed's own path and query, below the address of the installation. */
  readonly url: string;
  /** The address of the installation, such as `https://data.example.edu/academic/`. */
  readonly address: string;
  /** True on later pages, which link to the first. */
  readonly first: boolean;
  /** The offset of the next page; undefined on the last page. */
  readonly next: number | undefined;
}

/**
 * Streams the feed.
 * @param batches changes in their JSON form, comma-separated: the newest batch first, but the oldest change first
 * within each
 */
export async function* toFeed(feed: Feed, batches: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let isBegun = false;
  for await (const batch of batches) {
    const changes = (JSON.parse(`[${batch}]`) as ServedChange[]).toReversed();
    if (!isBegun) yield toHead(feed, changes[0]?.at);
    isBegun = true;
    yield Buffer.from(changes.map((change) => toEntry(change, feed.address)).join(""));
  }
  if (!isBegun) yield toHead(feed);
  yield Buffer.from("</feed>\n");
}

const ATOM = "application/atom+xml";
const toLink = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${escape(href)}"/>\n`;

/** Builds the head of the feed, with the links of RFC 5005, section 3, and a link to the page for people. */
function toHead({ title, values, createdAt, url, address, first, next }: Feed, updated = createdAt): Buffer {
  const pageOfFeed = (rel: string, offset?: number): string => {
    const { pathname, searchParams } = new URL(url, address);
    if (offset === 0) searchParams.delete("offset");
    else if (offset !== undefined) searchParams.set("offset", String(offset));
    return toLink(rel, ATOM, `${address}${pathname.slice(1)}?${searchParams}`);
  };
  const links = [
    toLink("alternate", "text/html", address + pathOfSubject(values)),
    pageOfFeed("self"),
    ...(first ? [pageOfFeed("first", 0)] : []),
    ...(next === undefined ? [] : [pageOfFeed("next", next)]),
  ];
  return Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${toUuid(normalizedQuery("/changes", "", values, ""))}</id>
<title>${escape(title)}</title>
<updated>${updated}</updated>
<author><name>Academic Data REST Service</name></author>
${links.join("")}`);
}

const toPath = (...segments: readonly string[]): string => segments.map(encodeURIComponent).join("/");

/** Returns the path of the site's page about the common subject of all changes in a feed. */
function pathOfSubject(values: ChangeValues): string {
  const { year, quarter } = values;
  const section = onlySection(values);
  if (year && quarter && section !== undefined)
    return toPath("sections", year, quarter, String(section).padStart(5, "0"));
  const department = onlyOf(values.department);
  if (department === undefined) return "";
  const courseNumber = onlyOf(values.courseNumber);
  return courseNumber === undefined || courseNumber.includes("-")
    ? toPath("departments", department)
    : toPath("courses", courseId({ department, courseNumber }));
}

/** Returns the path of a section's page, or of its course's page if the section was removed from the schedule. */
const pathOfSection = (change: ServedChange): string =>
  change.kind === "removed"
    ? toPath("courses", courseId(change))
    : toPath("sections", change.year, change.quarter, change.sectionCode);

function toEntry(change: ServedChange, address: string): string {
  const { at, since, year, quarter, sectionCode, department, courseNumber, kind, field, before, after } = change;
  const section = `${year} ${quarter} ${sectionCode} ${department} ${courseNumber}`;
  const query = new URLSearchParams({ year, quarter, sectionCodes: sectionCode, cacheOnly: "true" });
  const values = `${shown(before)} → ${shown(after)}`;
  return `<entry>
<id>${toUuid([at, year, quarter, sectionCode, field].join(" "))}</id>
<title>${escape(`${section}: ${kind === "added" || kind === "removed" ? kind : `${field} ${values}`}`)}</title>
<updated>${at}</updated>
<category term="${kind}"/>
${toLink("alternate", "text/html", address + pathOfSection(change))}${toLink("related", "application/json", `${address}${BASE.slice(1)}/schedule?${query}`)}<content type="text">${escape(`${kind}: ${field} of ${section}, between ${since} and ${at}: ${values}`)}</content>
</entry>
`;
}

function shown(value: string | null): string {
  if (value === null) return "none";
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
}

/** Returns a stable id: equal texts have equal ids (RFC 9562, version 8). */
function toUuid(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** Escapes markup and replaces characters that XML 1.0 does not allow. */
const escape = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  escapeMarkup(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd"));
