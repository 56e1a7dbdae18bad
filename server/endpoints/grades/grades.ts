/** The five grades endpoints: views of the same filtered rows (server/RULES.md, Grades). */
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import type { ShapeName } from "../../response/shapes/shapes.ts";
import { answerOptions } from "./grade-options.ts";
import { gradeOrigin, type GradeView } from "./grade-origin.ts";
import {
  answerAggregate,
  answerByCourse,
  answerByOffering,
  answerRaw,
  type GradeAnswer,
  gradeParams,
} from "./grade-queries.ts";

const grade = (path: GradeView, summary: string, returns: ShapeName, answer: GradeAnswer): Endpoint =>
  defineEndpoint({
    path: `/grades/${path}`,
    summary,
    params: gradeParams,
    example: { department: "COMPSCI", courseNumber: "161" },
    tables: ["grades"],
    products: ["grades"],
    returns,
    answer,
    origin: (values, _context, page) => gradeOrigin(path, values, page),
  });

export const gradesEndpoints: readonly Endpoint[] = [
  grade("raw", "One record for each section that matches", "RawGrades", answerRaw),
  grade("aggregate", "All matching sections, and their grades summed", "AggregateGrades", answerAggregate),
  grade("options", "The values that are left under the given filters", "GradeOptions", answerOptions),
  grade("aggregateByCourse", "Matching sections combined by course", "CourseGrades", answerByCourse),
  grade(
    "aggregateByOffering",
    "Matching sections combined by course and instructor",
    "OfferingGrades",
    answerByOffering,
  ),
];
