/** Labels of metrics are as many as there are routes, whatever clients ask for. */
import { expect, it } from "vitest";
import { createRouteNames } from "../../../server/http/route-names.ts";

const routeOf = createRouteNames([
  { pattern: "/" },
  { pattern: "/v1/rest/courses" },
  { pattern: "/v1/rest/courses/all" },
  { pattern: "/v1/rest/courses/:id" },
  { pattern: "/v1/rest/older", name: "/v1/rest/newer" },
  { pattern: "/v1/data/**" },
  { pattern: "/v1/data/manifest.json" },
]);

it.each([
  ["/", "/"],
  ["/?a=b", "/"],
  ["/v1/rest/courses", "/v1/rest/courses"],
  ["/v1/rest/courses/", "/v1/rest/courses"],
  ["/v1/rest/courses?department=MATH/", "/v1/rest/courses"],
  ["/v1/rest/courses/all", "/v1/rest/courses/all"],
  ["/v1/rest/courses/CRM%2FLAWC7?x=/", "/v1/rest/courses/:id"],
  ["/v1/rest/older", "/v1/rest/newer"],
  ["/v1/data/manifest.json", "/v1/data/manifest.json"],
  ["/v1/data/1-abc/grades/x.parquet", "/v1/data/**"],
  ["/v1/rest/coursesX", "other"],
  ["/v1/rest", "other"],
  ["", "other"],
  ["*", "other"],
  ["http://x/v1/rest/courses", "other"],
  ["/__proto__", "other"],
])("%s is %s", (target, name) => {
  expect(routeOf(target)).toBe(name);
});
