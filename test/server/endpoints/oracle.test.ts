/** Random requests to all endpoints, in both modes: each response is what the oracle makes of the rows (test/support/oracle), and rules hold between them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openOracleWorld, type OracleWorld } from "../../support/worlds/oracle-world.ts";
import { RULES } from "./oracle-rules.ts";
import { compareWithOracle, seedOr, walk } from "./oracle-run.ts";

const REQUESTS = 300;
/** Of each rule, to each endpoint. */
const WALKS = 2;
const SEED = 2_026;

let world: OracleWorld;
beforeAll(async () => {
  world = await openOracleWorld(seedOr(SEED));
});
afterAll(() => world?.close());

describe("the oracle", () => {
  it(`agrees with ${REQUESTS.toLocaleString("en")} random requests`, async () => {
    const rows = await compareWithOracle(world, REQUESTS);
    // Responses without rows prove little.
    expect([...rows].filter(([, count]) => count === 0)).toEqual([]);
  });

  it.each(endpoints.map(({ path }) => path))("knows every parameter of %s", (path) => {
    const declared = Object.keys(endpoints.find((one) => one.path === path)?.params ?? {});
    expect(world.knownOf(path).toSorted()).toEqual(declared.filter((name) => name !== "explain").toSorted());
  });
});

describe("for requests to every endpoint", () => {
  it.each(RULES.map((rule) => [rule.name, rule] as const))("%s", (_name, rule) => walk(world, rule, WALKS));
});

describe("the types of Parquet columns", () => {
  it("are the contract's: whole numbers, lists, structs, days; averages are doubles", async () => {
    const grades = await world.typesOf("/grades/raw?year=2022");
    expect(grades).toMatchObject({
      courseNumeric: "INTEGER",
      gradeACount: "INTEGER",
      averageGPA: "DOUBLE",
      instructors: "VARCHAR[]",
    });
    // A response without rows has them too.
    expect(await world.typesOf("/grades/raw?year=1999")).toEqual(grades);
    expect(await world.typesOf("/enrollmentHistory?year=2019")).toMatchObject({ date: "DATE", sectionCode: "INTEGER" });
    const schedule = await world.typesOf("/schedule?year=2024&quarter=Fall&cacheOnly=true");
    expect(Object.keys(schedule).slice(0, 2)).toEqual(["year", "quarter"]);
    expect(schedule["meetings"]).toMatch(/^STRUCT\(.*bldg VARCHAR\[\].*\)\[\]$/);
    expect(schedule["finalExam"]).toMatch(/"month" INTEGER/);
  });
});
