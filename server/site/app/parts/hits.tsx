/** Hits of a search: their addresses and lines. */
import { courseAddress, departmentAddress, instructorAddress, sectionAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";

export type Hit = ResponseBody<"SearchHits">[number];

/** `query` chooses the term, if the search names one. A section has its own. */
export function hitAddress({ kind, id }: Pick<Hit, "kind" | "id">, query: { readonly term?: string } = {}): string {
  switch (kind) {
    case "course":
      return courseAddress(id, query);
    case "instructor":
      return instructorAddress(id, query);
    case "department":
      return departmentAddress(id, query);
    default: {
      const [year = "", quarter = "", code = ""] = id.split(" ");
      return sectionAddress({ year, quarter, code });
    }
  }
}

export const HitLine = ({ hit }: { hit: Readonly<Record<"title" | "subtitle" | "kind", string>> }) => (
  <>
    <span class="hit">{hit.title}</span>
    <span class="subtitle">{hit.subtitle}</span>
    <span class="kind">{hit.kind}</span>
  </>
);
