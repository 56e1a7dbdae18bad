/** The schema of the hits of a search. */
import { z } from "zod";
import { shape } from "./shape.ts";

export const SearchHit = z.object({
  kind: z.enum(["course", "instructor", "department", "section"]).describe("what was found"),
  id: z.string().describe("the course's id, the person's netid, the department's code, or term and code of a section"),
  title: z.string().describe("what to show first"),
  subtitle: z.string().describe("what to show below it"),
  department: z.string().describe("a department's code; empty where a person's is not known"),
  score: z.number().describe("from 0 to 1, comparable within one answer"),
  links: z.record(z.string(), z.string()).describe("what there is about it → address of that JSON"),
});

export const searchShapes = {
  SearchHits: shape(z.array(SearchHit), [
    {
      kind: "course",
      id: "COMPSCI161",
      title: "COMPSCI 161",
      subtitle: "Design and Analysis of Algorithms",
      department: "COMPSCI",
      score: 1,
      links: {
        self: "/v1/rest/courses/COMPSCI161",
        grades: "/v1/rest/grades/raw?department=COMPSCI&courseNumber=161",
        sections: "/v1/rest/schedule?year=2026&quarter=Fall&department=COMPSCI&courseNumber=161",
      },
    },
  ]),
} as const;
