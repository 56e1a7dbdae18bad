/** Links within this page, and to the JSON behind its parts. */
import type { ResponseBody } from "./fetch-json.ts";

export type Hit = ResponseBody<"SearchHits">[number];

export const courseId = (department: string, courseNumber: string): string =>
  `${department}${courseNumber}`.replaceAll(" ", "");

export const courseAddress = (id: string): string => `#course/${encodeURIComponent(id)}`;

export function hitAddress({ kind, id }: Hit): string {
  if (kind !== "section") return `#${kind}/${encodeURIComponent(id)}`;
  const [year, quarter, code] = id.split(" ");
  return `#section/${code}?term=${encodeURIComponent(`${year} ${quarter}`)}`;
}

export const CourseLink = ({ name }: { name: string }) => <a href={courseAddress(name.replaceAll(" ", ""))}>{name}</a>;

export const JsonLink = ({ name, address }: { name: string; address: string }) => (
  <p class="json">
    JSON: <a href={address}>{name}</a>
  </p>
);

/** How a response is derived: files, sources, and a statement. */
const explanationOf = (address: string): string => `${address}${address.includes("?") ? "&" : "?"}explain=true`;

export const ExplainLink = ({ address }: { address: string }) => (
  <p class="json">
    <a href={explanationOf(address)}>Where these numbers come from</a>
  </p>
);
