/** What the condition of a filter compares: the columns that it names, and the values that it binds. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allOf, constant, type Fragment, sql, statementText, toText } from "../../../server/duckdb/sql.ts";
import { conditionsOf, either, filterOver, isAnyOf, paramsOf, titleOf } from "../../../server/endpoints/filters.ts";
import { cancelledTest, instructorTest, scheduleFilters } from "../../../server/endpoints/schedule/schedule-filters.ts";
import { sharedFilters, withZeros } from "../../../server/endpoints/shared-filters.ts";
import { ParamProblem, text } from "../../../server/response/params.ts";
import { readQuery } from "../../../server/response/query.ts";

/** Any column, in the text of a condition as `@name`. */
const columns = new Proxy({} as Record<string, Fragment>, { get: (_, name) => constant(`@${String(name)}`) });

const EVERY = { ...sharedFilters, ...scheduleFilters };
type Names = keyof typeof EVERY;

/** The conditions of a query over some filters: the columns in the order of their first use, and the values. */
function conditionOf(filters: Pick<typeof EVERY, Names>, query: string) {
  const { values, problems } = readQuery(new URLSearchParams(query), paramsOf(filters));
  expect(problems.filter((problem) => !problem.endsWith("not provided"))).toEqual([]);
  const conditions = conditionsOf(filters, values, columns as never);
  const all = allOf(conditions);
  return { count: conditions.length, columns: [...new Set(toText(all).match(/@\w+/g))].join(""), ...all };
}

type Case = readonly [query: string, named: string, ...values: unknown[]];
const listed = (cases: readonly Case[]) => cases.map(([query, named, ...bound]) => ({ query, named, bound }));

const SHARED: readonly Case[] = [
  ["year=2026", "@year", "2026"],
  ["quarter=Summer10wk", "@quarter", "Summer10wk"],
  // A whole line of the names.
  ["instructor=Müller, E.", "@names", "\nmuller, e.\n"],
  ["netid= RAMBERLE ", "@departmentKey@people@names", "ramberle", "ramberle"],
  ["department=i%26c sci", "@departmentKey", "I&CSCI"],
  ["department=MATH,i%26c sci", "@departmentKey", ["MATH", "I&CSCI"]],
  ["courseNumber=H2A", "@courseNumberKey", "h2a"],
  ["courseNumber=H2A,161", "@courseNumberKey", ["h2a", "161"]],
  ["sectionCode=05000", "@sectionCode", "05000"],
  ["division=LowerDiv", "@courseNumeric", 0, 99],
  ["division=UpperDiv", "@courseNumeric", 100, 199],
  ["ge=GE-1A", "@geCategories", "GE-1A"],
  ["sectionType=Tut", "@sectionType", "Tut"],
];

const SCHEDULE: readonly Case[] = [
  ["department=i%26c sci", "@departmentKey", "I&CSCI"],
  ["sectionCodes=05000", "@sectionCode", ["5000"]],
  ["sectionCodes=05000,34250-34250", "@sectionCode", ["5000", "34250"]],
  ["sectionCodes=34100-34199", "@sectionCode", 34100, 34199],
  ["sectionCodes=34100-34199,05000,40000-40001", "@sectionCode", ["5000"], 34100, 34199, 40000, 40001],
  ["building= alp ", "@buildings", "alp"],
  ["building= alp &room= 2300 ", "@rooms", "alp 2300"],
  ["courseNumber=H2A", "@courseNumberKey", "H2A"],
  ["courseNumber=100-199", "@courseNumeric", 100, 199],
  ["courseNumber=100-199,H2A", "@courseNumeric@courseNumberKey", 100, 199, "H2A"],
  ["courseTitle=Algorithms, a", "@titleKey", "Algorithms, a"],
  ["units=4.0", "@fixedUnits", 4],
  ["units=VAR", "@variableUnits"],
  ["units=VAR,.5", "@variableUnits@fixedUnits", 0.5],
  ["days=MWF,W Th", "@days", ["M", "W", "F", "Th"]],
  ["startTime=1:30 pm", "@earliest", 810],
  ["endTime=13:30", "@latest", 810],
  ["fullCourses=SkipFull", "@status"],
  ["fullCourses=SkipFullWaitlist", "@status"],
  ["fullCourses=FullOnly", "@status"],
  ["fullCourses=OverEnrolled", "@enrolled@capacity"],
  ["excludeRestrictionCodes=A,L", "@restrictionCodes", ["A", "L"]],
];

const namesIn = (query: string): string[] => [...new URLSearchParams(query).keys()];

describe("a condition", () => {
  it.each(listed(SHARED))("$query: over $named", ({ query, named, bound }) =>
    expect(conditionOf(sharedFilters as never, query)).toMatchObject({ count: 1, columns: named, values: bound }),
  );
  it.each(listed(SCHEDULE))("of the schedule, $query: over $named", ({ query, named, bound }) =>
    expect(conditionOf(scheduleFilters as never, query)).toMatchObject({ count: 1, columns: named, values: bound }),
  );

  it("is there for every filter that has one, or is tested below", () => {
    const shown = new Set([
      ...SHARED.flatMap(([query]) => namesIn(query).map((name) => sharedFilters[name as keyof typeof sharedFilters])),
      ...SCHEDULE.flatMap(([query]) =>
        namesIn(query).map((name) => scheduleFilters[name as keyof typeof scheduleFilters]),
      ),
    ] as unknown[]);
    const missing = [...Object.entries(sharedFilters), ...Object.entries(scheduleFilters)].filter(
      ([, filter]) => filter.where && !shown.has(filter),
    );
    expect(missing.map(([name]) => name)).toEqual(["instructorName", "maxCapacity"].toSorted());
  });

  it("there is none without a value, and none of what selects, changes or adds to the response only", () => {
    expect(conditionsOf(sharedFilters, {}, columns as never)).toEqual([]);
    const query = "cache=false&cacheOnly=true&includeCoCourses=true&instructorIds=true&cancelledCourses=Only&room=1";
    expect(conditionOf(scheduleFilters as never, `year=2026&quarter=Fall&${query}`)).toMatchObject({ count: 0 });
    expect(conditionOf(sharedFilters as never, "quarter=ALL&department=MATH,any&division=ANY").count).toBe(0);
  });

  it.each([">", "<", "="])("of the capacity compares with %s", (operator) => {
    const [condition] = conditionsOf(
      scheduleFilters,
      { maxCapacity: { operator: operator as "<", count: 20 } },
      columns as never,
    );
    expect(statementText(condition as Fragment)).toBe(`@capacity ${operator} 20`);
  });

  it("leaves out cancelled sections unless they are asked for", () => {
    const textOf = (choice?: "Exclude" | "Include" | "Only") =>
      toText(cancelledTest(choice, { cancelled: sql`cancelled` }));
    expect([textOf(), textOf("Exclude")]).toEqual(["NOT cancelled", "NOT cancelled"]);
    expect([textOf("Include"), textOf("Only")]).toEqual(["TRUE", "cancelled"]);
  });
});

describe("a list of values", () => {
  const columnOf = (values: readonly string[]) => {
    const { pieces, values: bound } = isAnyOf(sql`c`, values);
    return { isList: pieces.join("").includes("unnest"), bound };
  };
  it("is one parameter, and one value is compared as it is", () => {
    expect(columnOf(["a"])).toEqual({ isList: false, bound: ["a"] });
    expect(columnOf(["a", "b"])).toEqual({ isList: true, bound: [["a", "b"]] });
    expect(columnOf([])).toEqual({ isList: true, bound: [[]] });
  });
  it("in words", () =>
    expect([[], ["A"], ["A", "B"], ["A", "B", "C"]].map(either)).toEqual(["", "A", "A or B", "A, B or C"]));
});

it("a filter that is declared is read, compared and named in titles", () => {
  const filters = {
    color: filterOver<"color">()(
      text("color"),
      (color, c) => sql`${c.color} = ${color}`,
      (color) => ({ before: color }),
    ),
    shape: filterOver<"color">()(text("shape"), null, (shape, all) => ("color" in all ? "" : `of shape ${shape}`)),
  };
  expect(paramsOf(filters)).toEqual({ color: filters.color.param, shape: filters.shape.param });
  const title = titleOf(filters, "things");
  expect([title({ color: "red" }), title({ shape: "x" }), title({ color: "red", shape: "x" }), title({})]).toEqual([
    "Red things",
    "Things of shape x",
    "Red things",
    "Things",
  ]);
});

describe("instructorName", () => {
  /** Keys of names, and what is asked for. */
  const NAMES = ["a, b", "a, bb", "ab, b", "ba, a", "a", "ab", "a,", ", b", ""];
  const name = fc.constantFrom(...NAMES);
  const asked = fc.constantFrom(...NAMES, "b", " A, ", "a ,", ",", " Á, B", "a, b, ");

  it("is part of a last name, with a comma all of it, and with more the start of the name", () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 3 }), asked, (names, given) => {
        const wanted = given.trim().toLowerCase().replace("á", "a");
        const [part = "", first] = wanted.split(",");
        const isFound = names.some((one) => {
          const [last = ""] = one.split(",");
          if (first === undefined) return last.includes(part);
          return first.trim() === "" ? last === part : one.startsWith(wanted);
        });
        const lines = (texts: readonly string[]) => `\n${texts.map((line) => `${line}\n`).join("")}`;
        const searched = { "@names": lines(names), "@lastNames": lines(names.map((one) => one.split(",")[0] ?? "")) };
        const { pieces, values } = instructorTest(given, columns as never);
        const column = /@\w+/.exec(pieces.join(""))?.[0] as keyof typeof searched;
        // Blanks alone are no value; a name that has none of a last name is found by nothing.
        if (wanted === "" && names.length === 0) return;
        expect(searched[column].includes(String(values[0]))).toBe(isFound);
      }),
      { numRuns: 300 },
    );
  });
});

it.each(["202", "20260", "year 2026", "2026!"])("%s is no year", (year) =>
  expect(() => sharedFilters.year.param.read([year])).toThrow("a year of four digits"),
);

describe("section codes", () => {
  const meantBy = (code: string): string | undefined => {
    try {
      return `read ${sharedFilters.sectionCode.param.read([code])}`;
    } catch (error) {
      if (error instanceof ParamProblem) return error.meant;
      throw error;
    }
  };
  it("without their leading zeros are told with them", () => {
    expect(["5000", "17", "500000", "5000a"].map(meantBy)).toEqual(["05000", "00017", undefined, undefined]);
    expect(meantBy("05000")).toBe("read 05000");
    const suggest = withZeros((codes) => codes === "05000-05099");
    expect(["5000-5099", "5000-5100"].map(suggest)).toEqual(["05000-05099", undefined]);
  });
});
