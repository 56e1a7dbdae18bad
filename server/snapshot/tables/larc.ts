/** Tutorials in memory. */
import { jsonObject, type Loading } from "../loading.ts";

export const larcTable: Loading<"entry"> = {
  table: "larc",
  columns: ["year", "quarter"],
  orderBy: "year, quarter, courseNumber, courseName",
  renders: {
    entry: jsonObject([["courseInfo", "{'courseNumber': courseNumber, 'courseName': courseName}"], "sections"]),
  },
};
