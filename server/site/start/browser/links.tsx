/** Links within this page. */
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
