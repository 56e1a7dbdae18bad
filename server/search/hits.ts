/** Search hits with links to their resources. */
import type { z } from "zod";
import { courseId } from "../../pipeline/contract/course-name.ts";
import { type Term, termName } from "../../pipeline/contract/vocabulary.ts";
import { BASE } from "../response/endpoint.ts";
import type { SearchHit } from "../response/shapes/shapes.ts";
import type { Entry } from "./entry.ts";
import type { SearchResult } from "./search-index.ts";

export type Hit = z.infer<typeof SearchHit>;

const address = (path: string, query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString();
  return `${BASE}${path}${text === "" ? "" : `?${text}`}`;
};

/** Returns the address of a course that the catalogue lacks: in the schedule, or else in grades. */
export function uncataloguedAddress({ department, detail, uncatalogued }: Entry): string {
  const course = { department, courseNumber: detail };
  const { term, isCancelled } = uncatalogued ?? {};
  if (!term) return address("/grades/aggregate", course);
  const { year, quarter } = term;
  return address("/schedule", { year, quarter, ...course, ...(isCancelled ? { cancelledCourses: "Include" } : {}) });
}

/** Converts a result to a hit. `newest` is the term for links to sections; undefined when none is published. */
export function toHit({ entry, score }: SearchResult, newest: Term | undefined): Hit {
  const { kind, id, title, department, remark } = entry;
  const subtitle = remark === undefined ? entry.subtitle : `${entry.subtitle} (${remark})`.trim();
  return { kind, id, title, subtitle, department, score, links: linksOf(entry, newest) };
}

function linksOf(entry: Entry, newest: Term | undefined): Hit["links"] {
  const { kind, id, department, detail, uncatalogued, otherName } = entry;
  const sections = (query: Record<string, string>): Record<string, string> =>
    newest ? { sections: address("/schedule", { year: newest.year, quarter: newest.quarter, ...query }) } : {};
  const course = { department, courseNumber: detail };
  switch (kind) {
    case "course":
      return {
        self: uncatalogued ? uncataloguedAddress(entry) : address(`/courses/${encodeURIComponent(id)}`),
        grades: address("/grades/raw", course),
        ...sections(course),
        enrollmentHistory: address("/enrollmentHistory", course),
        ...(otherName ? { gradesOfOtherName: address("/grades/raw", { ...otherName }) } : {}),
      };
    case "instructor":
      return {
        self: address(`/instructors/${encodeURIComponent(id)}`),
        grades: address("/grades/raw", { instructor: detail }),
        ...sections({ instructorName: detail }),
      };
    case "department":
      return {
        self: address("/courses", { department: id }),
        grades: address("/grades/aggregateByCourse", { department: id }),
        ...sections({ department: id }),
      };
  }
}

export const FOUND_FIELDS = ["department", "courseNumber", "courseTitle", "sectionType"] as const;
export type FoundSection = Readonly<Record<(typeof FOUND_FIELDS)[number], string>>;

/** Creates the hit of a section, whose id is its term and code: `2026 Fall 35900`. */
export function toSectionHit(term: Term, sectionCode: string, section: FoundSection): Hit {
  const { department, courseNumber, courseTitle, sectionType } = section;
  const termQuery = { year: term.year, quarter: term.quarter };
  return {
    kind: "section",
    id: `${termName(term)} ${sectionCode}`,
    title: `${department} ${courseNumber}`,
    subtitle: `${sectionType} ${sectionCode}, ${termName(term)}: ${courseTitle}`,
    department,
    score: 1,
    links: {
      self: address("/schedule", { ...termQuery, sectionCodes: sectionCode }),
      course: address(`/courses/${encodeURIComponent(courseId({ department, courseNumber }))}`),
      grades: address("/grades/raw", { department, courseNumber }),
      enrollmentHistory: address("/enrollmentHistory", { ...termQuery, sectionCode }),
    },
  };
}
