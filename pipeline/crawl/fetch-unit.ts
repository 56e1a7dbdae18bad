/** Fetches the pages of a unit of a crawl: a department, or a GE category. */
import { createHash } from "node:crypto";
import type { SchedulePage } from "../contract/schedule-page.ts";
import { pageDigest } from "../landing/published-pages.ts";
import type { UnitMemo } from "../landing/unit-memo.ts";
import type { Client } from "../sources/client/http.ts";
import { searchSchedule, type ScheduleFields, type ScheduleReaders } from "../sources/schedule.ts";
import { syncReaders } from "./schedule-readers.ts";

/** SHA-256 over other hashes. */
export const hashOf = (hashes: readonly string[]): string =>
  createHash("sha256").update(hashes.join("\n")).digest("hex");

/** `received` is a hash over every page, `page` that of a unit which is one page. */
type FetchedUnit = { reused: UnitMemo } | { pages: SchedulePage[]; page?: string; received: string };

/** Fetches a unit. `reuse` seals a page that was published before, which is then not parsed. */
export async function fetchUnit(
  { client, url }: { client: Client; url: URL },
  fields: ScheduleFields,
  reuse: (page: string) => Promise<UnitMemo | undefined>,
  signal: AbortSignal,
): Promise<FetchedUnit> {
  const digests: string[] = [];
  const digestOf = new Map<SchedulePage, string>();
  let reused: UnitMemo | undefined;
  const readers: ScheduleReaders = {
    ...syncReaders,
    async page(response, term) {
      const digest = pageDigest(response.body);
      digests.push(digest);
      reused = await reuse(digest);
      if (reused) return { whole: true, sections: 1, schools: [], unknown: [] };
      const page = await syncReaders.page(response, term);
      digestOf.set(page, digest);
      return page;
    },
  };
  const pages = await searchSchedule(client, url, fields, readers, signal);
  if (reused) return { reused };
  const [digest] = digests;
  // Of pages that were fetched again only the last one counts.
  const received = hashOf(pages.map((one) => digestOf.get(one) ?? ""));
  return {
    pages,
    received,
    ...(digest !== undefined && digests.length === 1 && pages.length === 1 ? { page: digest } : {}),
  };
}
