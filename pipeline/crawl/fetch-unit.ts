/** Fetches the pages of a unit of a crawl: a department, or a GE category. */
import { createHash } from "node:crypto";
import type { SchedulePage } from "../contract/schedule-page.ts";
import type { Client } from "../sources/client/http.ts";
import { searchSchedule, type ScheduleFields } from "../sources/schedule.ts";
import { syncReaders } from "./schedule-readers.ts";

/** SHA-256 over other hashes. */
export const hashOf = (hashes: readonly string[]): string =>
  createHash("sha256").update(hashes.join("\n")).digest("hex");

/** `received` is a hash over every page. */
export async function fetchUnit(
  { client, url }: { client: Client; url: URL },
  fields: ScheduleFields,
  signal: AbortSignal,
): Promise<{ pages: SchedulePage[]; received: string }> {
  const digestOf = new Map<SchedulePage, string>();
  const readers = {
    ...syncReaders,
    async page(...[response, term]: Parameters<typeof syncReaders.page>) {
      const page = await syncReaders.page(response, term);
      digestOf.set(page, pageDigest(response.body));
      return page;
    },
  };
  const pages = await searchSchedule(client, url, fields, readers, signal);
  // Of pages that were fetched again only the last one counts.
  return { pages, received: hashOf(pages.map((page) => digestOf.get(page) ?? "")) };
}

/** Where the schedule system says when it made the page: every page would differ. */
const GENERATED = /<websoc_results\b[^>]*?\sgenerated="[^"]*"/;
const HEAD_BYTES = 1000;

function pageDigest(body: Buffer): string {
  const head = body.subarray(0, HEAD_BYTES).toString("latin1");
  const generated = GENERATED.exec(head);
  const from = generated ? generated.index + generated[0].length : 0;
  return createHash("sha256")
    .update(head.slice(0, generated?.index ?? 0))
    .update(body.subarray(from))
    .digest("hex");
}
