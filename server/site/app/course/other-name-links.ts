/** Other names of a course, from the header `Link` of its response. */
import { linkOf } from "../data/response-links.ts";
import { termTitle } from "../data/term-names.ts";

export interface OtherName {
  readonly name: string;
  readonly isFormer: boolean;
  /** The first term of the newer one of the two names; undefined where nobody says it. */
  readonly term: string | undefined;
  readonly department: string;
  readonly courseNumber: string;
}

const LINK =
  /<([^>]+)>; rel="related"; title="Grades under the (former|newer) name ([^",]+)(?:, (?:until|from) ([^"]+))?"/g;

/** The body of `/courses/:id`. */
export function otherNamesOf(course: object): OtherName[] {
  return [...linkOf(course).matchAll(LINK)].map(([, address = "", kind, , term]) => {
    const { searchParams } = new URL(address, "http://localhost");
    const [department, courseNumber] = [searchParams.get("department") ?? "", searchParams.get("courseNumber") ?? ""];
    return { name: `${department} ${courseNumber}`, isFormer: kind === "former", term, department, courseNumber };
  });
}

/** `Formerly IN4MATX 43 (until Fall 2025)`. */
export const otherNameText = ({ name, isFormer, term }: OtherName): string =>
  `${isFormer ? "Formerly" : "Now"} ${name}${term === undefined ? "" : ` (${isFormer ? "until" : "since"} ${termTitle(term)})`}`;
