import { jsonObject, type Loading } from "../loading.ts";

export const larcTable: Loading<"entry"> = {
  table: "larc",
  columns: ["year", "quarter"],
  orderBy: "year, quarter, courseNumber, courseName",
  jsonColumns: {
    entry: jsonObject([["courseInfo", "{'courseNumber': courseNumber, 'courseName': courseName}"], "sections"]),
  },
};
