import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { jsonObject, type Loading } from "../loading.ts";

export const instructorsTable: Loading<"instructor"> = {
  table: "instructors",
  columns: [
    `${nameKeySql("name")} AS nameKey`,
    `${nameKeySql("shortenedName")} AS shortenedNameKey`,
    "lower(title) AS titleKey",
    "lower(department) AS departmentKey",
    "list_transform(schools, x -> lower(x)) AS schoolKeys",
    "list_transform(relatedDepartments, x -> lower(x)) AS relatedKeys",
    "list_transform(list_distinct(flatten(map_values(courseHistory))), x -> lower(x)) AS termKeys",
  ],
  orderBy: "netid",
  jsonColumns: {
    instructor: jsonObject([
      "netid",
      "name",
      "shortenedName",
      "title",
      "email",
      "department",
      "schools",
      "relatedDepartments",
      "courseHistory",
    ]),
  },
};
