/** Changes as an Atom feed (RFC 4287) in pages (RFC 5005). */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { BASE } from "../../response/endpoint.ts";
import { escapeMarkup } from "../../response/escape-markup.ts";
import { normalizedQuery } from "../../response/query.ts";
import type { Change } from "../../response/shapes/changes.ts";
import type { ChangeValues } from "./change-filters.ts";

type ServedChange = z.infer<typeof Change>;

const MAX_VALUE_LENGTH = 500;

interface Feed {
  readonly title: string;
  readonly values: ChangeValues;
  /** When the snapshot of the changes was published. */
  readonly createdAt: string;
  /** The feed's own address, below the path prefix of the installation, `base`. */
  readonly url: string;
  readonly base: string;
  /** Whether this is a later page than the first. */
  readonly first: boolean;
  /** The offset of the next page; undefined = this is the last one. */
  readonly next: number | undefined;
}

/** @param batches of changes as they are served, as JSON with commas between them: the newest batch first, in each the oldest change */
export async function* toFeed(feed: Feed, batches: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let isBegun = false;
  for await (const batch of batches) {
    const changes = (JSON.parse(`[${batch}]`) as ServedChange[]).toReversed();
    if (!isBegun) yield toHead(feed, changes[0]?.at);
    isBegun = true;
    yield Buffer.from(changes.map((change) => toEntry(change, feed.base)).join(""));
  }
  if (!isBegun) yield toHead(feed);
  yield Buffer.from("</feed>\n");
}

/** With the links of RFC 5005, section 3. */
function toHead({ title, values, createdAt, url, base, first, next }: Feed, updated = createdAt): Buffer {
  const link = (rel: string, offset?: number): string => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (offset === 0) searchParams.delete("offset");
    else if (offset !== undefined) searchParams.set("offset", String(offset));
    const href = `${base}${pathname.slice(1)}?${searchParams}`;
    return `<link rel="${rel}" type="application/atom+xml" href="${escape(href)}"/>\n`;
  };
  const links = [
    link("self"),
    ...(first ? [link("first", 0)] : []),
    ...(next === undefined ? [] : [link("next", next)]),
  ];
  return Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${toUuid(normalizedQuery("/changes", "", values, ""))}</id>
<title>${escape(title)}</title>
<updated>${updated}</updated>
<author><name>Academic Data REST Service</name></author>
${links.join("")}`);
}

function toEntry(change: ServedChange, base: string): string {
  const { at, since, year, quarter, sectionCode, department, courseNumber, kind, field, before, after } = change;
  const section = `${year} ${quarter} ${sectionCode} ${department} ${courseNumber}`;
  const schedule = `${base}${BASE.slice(1)}/schedule?${new URLSearchParams({ year, quarter, sectionCodes: sectionCode, cacheOnly: "true" }).toString()}`;
  const values = `${shown(before)} → ${shown(after)}`;
  return `<entry>
<id>${toUuid([at, year, quarter, sectionCode, field].join(" "))}</id>
<title>${escape(`${section}: ${kind === "added" || kind === "removed" ? kind : `${field} ${values}`}`)}</title>
<updated>${at}</updated>
<category term="${kind}"/>
<link rel="alternate" type="application/json" href="${escape(schedule)}"/>
<content type="text">${escape(`${kind}: ${field} of ${section}, between ${since} and ${at}: ${values}`)}</content>
</entry>
`;
}

function shown(value: string | null): string {
  if (value === null) return "none";
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
}

/** A stable id: equal texts have equal ones (RFC 9562, version 8). */
function toUuid(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** Replaces what XML 1.0 cannot hold. */
const escape = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  escapeMarkup(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd"));
