/** The two lists of the search form. */
import { jsonObject, type Loading } from "../loading.ts";
import { quarterRank } from "./orders.ts";

export const departmentsTable: Loading<never> = {
  table: "departments",
  columns: ["deptCode", "deptName"],
  orderBy: "deptCode",
  jsonColumns: {},
};

export const termsTable: Loading<never> = {
  table: "terms",
  columns: ["year", "quarter", "longName"],
  orderBy: `year, ${quarterRank}`,
  jsonColumns: {},
};

/** One department of the list; `code` alone where only grades know it. */
export const departmentOption = jsonObject([
  ["deptLabel", "CASE WHEN deptName IS NULL OR deptName = '' THEN deptCode ELSE deptCode || ': ' || deptName END"],
  ["deptValue", "deptCode"],
]);
