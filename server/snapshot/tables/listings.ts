import type { Loading } from "../loading.ts";
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
