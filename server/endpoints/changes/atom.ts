/** Changes as an Atom feed (RFC 4287). */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { BASE } from "../../response/endpoint.ts";
import { escapeMarkup } from "../../response/escape-markup.ts";
import { normalizedQuery } from "../../response/query.ts";
import type { Change } from "../../response/shapes/shapes.ts";
import type { ChangeValues } from "./change-filters.ts";

type ServedChange = z.infer<typeof Change>;

const MAX_VALUE_LENGTH = 500;

/** `rows` are the JSON of the served changes, newest first; `createdAt` is that of their snapshot, `base` the path prefix of the installation. */
export function toFeed(
  title: string,
  rows: readonly string[],
  values: ChangeValues,
  createdAt: string,
  base: string,
): Buffer {
  const changes = rows.map((row) => JSON.parse(row) as ServedChange);
  return Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${toUuid(normalizedQuery("/changes", "", values, ""))}</id>
<title>${escape(title)}</title>
<updated>${changes[0]?.at ?? createdAt}</updated>
<author><name>Academic Data REST Service</name></author>
${changes.map((change) => toEntry(change, base)).join("")}</feed>
`);
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
