/** Which parameters take several values (server/RULES.md, HTTP): every parameter of every endpoint, by its declaration. */
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { changeFilters, indexChanges, toSelector } from "../../../server/endpoints/changes/change-filters.ts";
import { toTool } from "../../../server/mcp/tool.ts";
import { TOOLS } from "../../../server/mcp/tools.ts";
import { acceptLooseForms } from "../../../server/compat/compat.ts";
import type { Endpoint } from "../../../server/response/endpoint.ts";
import { readQuery } from "../../../server/response/query.ts";
import { MANIFEST_PARAMS } from "../../../server/data/pages.ts";
import { toParameter } from "../../../server/openapi/operation.ts";

const MANIFEST = { path: "/v1/data/manifest.json", params: MANIFEST_PARAMS };
const every = [...endpoints, ...endpoints.map(acceptLooseForms), MANIFEST].flatMap(({ path, params }) =>
  Object.entries(params).map(([name, param]) => ({
    path,
    name,
    param,
    only: { [name]: { ...param, required: false } },
  })),
);

/** Two valid values of it. */
const valuesOf = ({ name, param }: (typeof every)[number]): [string, string] => {
  const examples = [
    ...(param.schema.enum ?? []).filter((value) => !/^(?:ANY|ALL)$/.test(value)),
    ...(param.schema.examples ?? []),
  ];
  const [one = "", other = name === "ids" ? "x" : one] = examples.map(String);
  return [one || "a", other || "b"];
};

const readWith = ({ name, only }: (typeof every)[number], values: readonly string[]) => {
  const { values: read, problems } = readQuery(
    new URLSearchParams(values.map((value): [string, string] => [name, value])),
    only,
  );
  return { value: (read as Record<string, unknown>)[name], problems };
};

describe("a comma", () => {
  it.each(every)("$path $name", (one) => {
    const [first, second] = valuesOf(one);
    const joined = readWith(one, [`${first}, ${second}`]);
    const problem = `Invalid ${one.name} provided: "${`${first}, ${second}`.slice(0, 20)}`;
    if (one.param.multi) {
      expect(joined.problems).toEqual([]);
      expect(joined).toEqual(readWith(one, [first, second]));
      expect(readWith(one, [first, `,${second},`])).toEqual(joined);
    } else if (one.param.withCommas) {
      expect(joined).toEqual({ value: `${first}, ${second}`, problems: [] });
    } else {
      expect(joined.value).toBeUndefined();
      expect(joined.problems).toEqual([expect.stringContaining(problem)]);
      expect(readWith(one, [`${first},`]).problems).toEqual([expect.stringContaining("one value, without commas")]);
    }
    // What the documents say.
    const documented = toParameter(one.name, one.param);
    expect((documented["schema"] as { type: string }).type === "array").toBe(one.param.multi);
    expect(documented["explode"]).toBe(one.param.multi ? false : undefined);
  });

  it("may be part of names and texts only", () => {
    const withCommas = every.filter(({ param }) => param.withCommas).map(({ name }) => name);
    expect([...new Set(withCommas)].sort()).toEqual([
      ...["courseTitle", "departmentContains", "descriptionContains", "instructor", "instructorName", "nameContains"],
      ...["q", "shortenedName", "titleContains"],
    ]);
  });
});

const LISTS = /^\/(?:grades\/|enrollmentHistory$|courses$|changes$)/;

it("several departments and course numbers are taken by grades, enrollment history, courses and changes", () => {
  const taking = endpoints.filter(({ params }) => params["department"]?.multi && params["courseNumber"]?.multi);
  expect(taking.map(({ path }) => path)).toEqual(endpoints.map(({ path }) => path).filter((path) => LISTS.test(path)));
});

describe("ALL and ANY", () => {
  it.each(["MATH,ALL", "ANY,dance", "all", "MATH,,any"])("department=%s is no filter", (department) => {
    for (const { params } of endpoints.filter(({ path }) => LISTS.test(path)))
      expect(readQuery(new URLSearchParams({ department }), params).values).toEqual({});
  });
});

it("a stream of changes of several courses has those of each", () => {
  const row = (departmentKey: string, courseNumberKey: string) => ({
    ...{ year: "2026", quarter: "Fall", sectionCode: 1, instructorKeys: [], kind: "status" as const },
    ...{ departmentKey, courseNumberKey },
  });
  const rows = ["MATH", "I&CSCI", "DANCE"].flatMap((department) =>
    ["2a", "2b", "h3"].map((number) => row(department, number)),
  );
  const params = Object.fromEntries(Object.entries(changeFilters).map(([name, { param }]) => [name, param]));
  const select = (query: string) =>
    toSelector(readQuery(new URLSearchParams(query), params).values)(indexChanges(rows)).map(
      ({ departmentKey, courseNumberKey }) => `${departmentKey} ${courseNumberKey}`,
    );
  expect(select("department=math&courseNumber=2A,2B")).toEqual(["MATH 2a", "MATH 2b"]);
  expect(select("department=i%26c sci,Math&courseNumber=H3")).toEqual(["MATH h3", "I&CSCI h3"]);
  expect(select("department=ALL,Math&courseNumber=H3&courseNumber=2b")).toHaveLength(6);
});

it("tools take lists where their endpoints do, and one value elsewhere", () => {
  for (const record of TOOLS) {
    const endpoint = endpoints.find(({ path }) => path === record.path) as Endpoint;
    const tool = toTool(record, endpoint);
    for (const name of record.params) {
      const isList = endpoint.params[name]?.multi;
      const required = Object.fromEntries(
        [...Object.keys(tool.params)].map((other) => [other, tool.params[other]?.required ? "x" : null]),
      );
      const ask = () => tool.toUrl({ ...required, ...(endpoint.id ? { id: "x" } : {}), [name]: ["1", "2"] });
      if (isList) expect(ask()).toContain(`${name}=1&${name}=2`);
      else expect(ask).toThrow(`Invalid ${name} provided: it takes one value`);
    }
  }
});
