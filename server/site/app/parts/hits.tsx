/** What a search finds. */
import { courseAddress, departmentAddress, instructorAddress, sectionAddress } from "../data/addresses.ts";
import type { ResponseBody } from "../data/fetch-json.ts";

export type Hit = ResponseBody<"SearchHits">[number];

export function hitAddress({ kind, id }: Hit): string {
  switch (kind) {
    case "course":
      return courseAddress(id);
    case "instructor":
      return instructorAddress(id);
    case "department":
      return departmentAddress(id);
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
