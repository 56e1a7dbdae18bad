/** The five grades endpoints: views of the same filtered rows (server/RULES.md, Grades). */
import { listRecords, type Selection, selectRows } from "../../response/list.ts";
import { distributionOf, withoutGrades } from "../../snapshot/tables/grades.ts";
import { selectRowsWithIds } from "../instructor-ids.ts";
import { defineEndpoint, type Endpoint, type EndpointContext } from "../../response/endpoint.ts";
import { type ShapeName, shapeOf } from "../../response/shapes/shapes.ts";
import { paramsOf, titleOf } from "../filters.ts";
import {
  gradeFilters,
  gradeOrigin,
  type GradeValues,
  type GradeView,
  loadedGrades,
  matching,
  sortParam,
} from "./grade-statements.ts";

/** The views of groups, which support `sort`. */
const GROUPED: readonly GradeView[] = ["aggregateByCourse", "aggregateByOffering"];
const params = { ...paramsOf(gradeFilters), sort: sortParam };
/** The views without instructor names, which do not support `instructorIds`. */
const NAMELESS: readonly GradeView[] = ["options", "aggregateByCourse"];

/** Returns the parameters of a view. The type is that of all parameters, because values are optional. */
function paramsOfView(view: GradeView): typeof params {
  const isOffered = (name: string) =>
    name === "instructorIds" ? !NAMELESS.includes(view) : name !== "sort" || GROUPED.includes(view);
  return Object.fromEntries(Object.entries(params).filter(([name]) => isOffered(name))) as typeof params;
}

type Answer = NonNullable<Endpoint<typeof params>["answer"]>;

const isUnfiltered = (values: object): boolean => Object.values(values).every((value) => value === undefined);

/** Selects the matching sections in the order of responses. */
async function selectSections(values: GradeValues, context: EndpointContext): Promise<Selection> {
  const { pool, snapshot } = context;
  const { records } = snapshot.tables.grades;
  if (isUnfiltered(values)) return { records, rowIds: undefined };
  const grades = await loadedGrades(values, context);
  const rows = matching(grades, values);
  return values.instructorIds ? selectRowsWithIds(pool, records, grades.column, rows) : selectRows(pool, records, rows);
}

const answerRaw: Answer = async (values, context) => listRecords(await selectSections(values, context));

const answerAggregate: Answer = async (values, context) => {
  const { records, rowIds } = await selectSections(values, context);
  const sections = rowIds ? Array.from(rowIds, (id) => records[id] as string) : records;
  const distribution = distributionOf(context.snapshot.tables.grades, rowIds);
  return {
    body: [
      Buffer.from(`{"sectionList":[${sections.map(withoutGrades).join(",")}],`),
      Buffer.from(`"gradeDistribution":${distribution}}`),
    ],
    rows: sections.length,
  };
};

/** The views whose records are in memory; the others are the rows of their statements. */
const ANSWERS: { readonly [V in GradeView]?: Answer } = { raw: answerRaw, aggregate: answerAggregate };

const grade = (view: GradeView, summary: string, about: string, returns: ShapeName): Endpoint =>
  defineEndpoint({
    path: `/grades/${view}`,
    summary,
    title: titleOf(gradeFilters, "sections", about),
    params: paramsOfView(view),
    example: { department: "COMPSCI", courseNumber: "161" },
    tables: ["grades"],
    products: ["grades"],
    returns: shapeOf(returns),
    ...(ANSWERS[view] ? { answer: ANSWERS[view] } : {}),
    origin: (values, context, page) => gradeOrigin(view, values, context, page),
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
