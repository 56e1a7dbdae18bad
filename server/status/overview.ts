/** `/` for programs: the snapshot, its terms and calendar, and links to all resources. */
import { BASE, type Endpoint } from "../response/endpoint.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { isMade } from "../../pipeline/contract/documents/manifest.ts";
import type { Store } from "../snapshot/store.ts";
import { isSample } from "../../pipeline/contract/sample-campus.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";
import { forPrograms } from "../pages/content.ts";
import { type Page, PAGE_SECURITY } from "../pages/page.ts";
import { dataAge } from "./data-age.ts";
import type { CurrentTerm } from "../pages/current-term.ts";

const LINKS: Readonly<Record<string, string>> = {
  Reference: "/docs",
  "OpenAPI description": "/v1/openapi.json",
  "Overview for assistants": "/llms.txt",
  "Tools for assistants": "/mcp",
  "Published files": "/v1/data/manifest.json",
  "Build report": "/status",
  Readiness: "/ready",
};

export const createIndex = (store: Store, endpoints: readonly Endpoint[], currentTerm: CurrentTerm, home: Page): Page =>
  forPrograms(() => toIndex(store, endpoints, currentTerm), home, PAGE_SECURITY);

async function toIndex(store: Store, endpoints: readonly Endpoint[], currentTerm: CurrentTerm): Promise<object> {
  const { olderTerms, withheld = [] } = store.freshness();
  // A first snapshot is served before all of its tables are loaded.
  const described = await store.withSnapshot((snapshot) => Promise.resolve(describeSnapshot(snapshot)), ["calendar"]);
  return {
    name: "Academic Data REST Service",
    snapshot: described
      ? {
          ...described,
          /** The term that students are choosing classes for. */
          term: (await currentTerm()) ?? null,
          /** The number of terms that a first build has yet to add. */
          olderTerms: olderTerms ?? null,
          overdueSince: dataAge(store, new Date())?.overdueSince ?? null,
          /** The partitions whose newer version was refused. */
          withheld: withheld.map(({ table, partition: { year, quarter }, since }) => ({ table, year, quarter, since })),
        }
      : null,
    links: LINKS,
    endpoints: Object.fromEntries(endpoints.map(({ path, summary }) => [BASE + path, summary])),
  };
}

function describeSnapshot(snapshot: Snapshot): object {
  const { generation, createdAt, source, files } = snapshot.published.manifest;
  const rows: Record<string, number> = {};
  for (const file of files) if (!isMade(file)) rows[file.table] = (rows[file.table] ?? 0) + file.rows;
  return {
    id: snapshot.id,
    generation,
    createdAt,
    /** True if people and numbers are invented. */
    sample: isSample(source),
    terms: snapshot.publishedTerms.map(termName),
    calendar: snapshot.tables.calendar.dates,
    rows,
  };
}
