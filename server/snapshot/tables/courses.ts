import { jsonObject, type Loading } from "../loading.ts";

/** Writes whole numbers without a fraction: `4`, not `4.0`. */
const units = (column: string) =>
  `(CASE WHEN ${column} = floor(${column}) THEN ${column}::BIGINT::VARCHAR ELSE ${column}::VARCHAR END)::JSON`;

export const coursesTable: Loading<"course"> = {
  table: "courses",
  columns: [
    "upper(replace(department, ' ', '')) AS departmentKey",
    "lower(courseNumber) AS courseNumberKey",
    "courseNumeric",
    "lower(title) AS titleKey",
    "courseLevel",
    "minUnits",
    "maxUnits",
    "lower(description) AS descriptionKey",
    "list_transform(instructorHistory, x -> lower(x)) AS instructorKeys",
    "geList",
    "list_transform(terms, x -> lower(x)) AS termKeys",
  ],
  orderBy: "id",
  jsonColumns: {
    course: jsonObject([
      "id",
      "department",
      "courseNumber",
      "courseNumeric",
      "school",
      "title",
      "courseLevel",
      ["minUnits", units("minUnits")],
      ["maxUnits", units("maxUnits")],
      "description",
      "departmentName",
      "instructorHistory",
      ["prerequisiteTree", "prerequisiteTree::JSON"],
      "prerequisiteList",
      "prerequisiteText",
      "prerequisiteFor",
      "repeatability",
      "gradingOption",
      "concurrent",
      "sameAs",
      "restriction",
      "overlap",
      "corequisites",
      "geList",
      "geText",
      "terms",
    ]),
  },
};
