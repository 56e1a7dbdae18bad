/** The five grades endpoints: views of the same filtered rows (server/RULES.md, Grades). */
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import type { ShapeName } from "../../response/shapes/shapes.ts";
import { shapeOf } from "../../response/shapes/shape.ts";
import { paramsOf, titleOf } from "../filters.ts";
import { GRADE_ANSWERS } from "./grade-responses.ts";
import { gradeFilters, gradeOrigin, type GradeView } from "./grade-statements.ts";

const params = paramsOf(gradeFilters);

const grade = (view: GradeView, summary: string, about: string, returns: ShapeName): Endpoint =>
  defineEndpoint({
    path: `/grades/${view}`,
    summary,
    title: titleOf(gradeFilters, "sections", about),
    params,
    example: { department: "COMPSCI", courseNumber: "161" },
    tables: ["grades"],
    products: ["grades"],
    returns: shapeOf(returns),
    answer: GRADE_ANSWERS[view],
    origin: (values, _context, page) => gradeOrigin(view, values, page),
  });

export const gradesEndpoints: readonly Endpoint[] = [
  grade("raw", "One record for each section that matches", "grades of", "RawGrades"),
  grade("aggregate", "All matching sections, and their grades summed", "grade distribution of", "AggregateGrades"),
  grade("options", "The values that are left under the given filters", "choices for grades of", "GradeOptions"),
  grade("aggregateByCourse", "Matching sections combined by course", "grades by course of", "CourseGrades"),
  grade(
    "aggregateByOffering",
    "Matching sections combined by course and instructor",
    "grades by course and instructor of",
    "OfferingGrades",
  ),
];
