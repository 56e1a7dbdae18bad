/** What is read of a request: its values, its page, its representation, and its normal form. */
import { H3Event } from "h3";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { BASE, type Endpoint } from "../../../server/response/endpoint.ts";
import { flag, listOf, type Param, ParamProblem, text, texts } from "../../../server/response/params.ts";
import { appliedPreference } from "../../../server/response/negotiation.ts";
import { normalizedQuery, readId, readQuery, readRequest } from "../../../server/response/query.ts";

const endpointOf = (path: string): Endpoint => {
  const endpoint = endpoints.find((one) => one.path === path);
  if (!endpoint) throw new Error(`there is no endpoint ${path}`);
  return endpoint;
};
const eventOf = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  new H3Event(new Request(`http://localhost${BASE}${address}`, { headers }));
const read = (path: string, query: string, headers: Readonly<Record<string, string>> = {}) =>
  readRequest(endpointOf(path), eventOf(`${path}?${query}`, headers));

describe("a request", () => {
  it("is answered as its Accept header says", () => {
    const accept = { accept: "text/csv" };
    expect(read("/grades/raw", "year=2025", accept).representation.name).toBe("csv");
    expect(read("/grades/raw", "year=2025").representation.name).toBe("json");
  });
  it("for fields is one for JSON", () => {
    const fields = "fields=year";
    expect(read("/grades/raw", fields).fields).toEqual(["year"]);
    expect(() => read("/grades/raw", `${fields}&format=csv`)).toThrow(
      "fields cannot be given with the format csv: they are those of JSON",
    );
    expect(read("/grades/raw", "format=csv").representation.name).toBe("csv");
  });
  it("is strict where it prefers that, and then an unknown parameter is refused", () => {
    const isStrict = (prefer: string) => read("/grades/raw", "year=2025", { prefer }).strict;
    expect([isStrict("handling=strict"), isStrict("respond-async")]).toEqual([true, false]);
    expect(read("/grades/raw", "").strict).toBe(false);
    expect(read("/grades/raw", "xyzzy=1").unknown).toEqual(["xyzzy"]);
    expect(() => read("/grades/raw", "xyzzy=1", { prefer: "handling=strict" })).toThrow("xyzzy");
    expect([appliedPreference(true), appliedPreference(false)]).toEqual([
      { "Preference-Applied": "handling=strict" },
      {},
    ]);
  });
  it("for one element has no page", () => {
    expect(read("/calendar", "year=2026&limit=5").page).toEqual({ limit: 5, offset: 0 });
    expect(read("/calendar", "year=2026&quarter=Fall&limit=5").page).toBeUndefined();
    expect(read("/grades/raw", "offset=5").page).toEqual({ limit: undefined, offset: 5 });
  });
});

describe("the id of a path", () => {
  const courses = endpointOf("/courses/:id");
  it("is the decoded rest of the path, without a slash at its end", () => {
    const idOf = (address: string) => readId(courses, eventOf(address));
    expect(["/courses/I%26C%20SCI", "/courses/A1/", "/courses/A%2F1", "/courses/a/b"].map(idOf)).toEqual([
      ...["I&C SCI", "A1", "A/1", "a/b"],
    ]);
    expect(readId(endpointOf("/courses"), eventOf("/courses"))).toBe("");
  });
  it("that is no percent-encoded text is refused", () => {
    expect(() => readId(courses, eventOf("/courses/%FF"))).toThrow(
      expect.objectContaining({ status: 400, message: "The id in the path is not properly percent-encoded." }),
    );
  });
});

describe("the normal form of a request", () => {
  const urlOf = (path: string, query: string, set?: Record<string, string>) => read(path, query).url(set ?? {});
  it("has the parameters that count, in alphabetical order, with their values in order", () => {
    expect(urlOf("/grades/raw", "year=2025&department=MATH,ART&xyzzy=1&quarter=")).toBe(
      `${BASE}/grades/raw?department=ART%2CMATH&year=2025`,
    );
    expect(urlOf("/grades/raw", "xyzzy=1")).toBe(`${BASE}/grades/raw`);
    expect(urlOf("/courses", "ids=B,A")).toBe(`${BASE}/courses?ids=B%2CA`);
  });
  it("is that of the answer, not of its explanation, with what else is set", () => {
    expect(urlOf("/grades/raw", "explain=true&year=2025", { asOf: "3f2a9c0b7d1e4a58" })).toBe(
      `${BASE}/grades/raw?year=2025&asOf=3f2a9c0b7d1e4a58`,
    );
    const { year, ...others } = endpointOf("/grades/raw").params;
    const request = readRequest({ ...endpointOf("/grades/raw"), params: others }, eventOf("/grades/raw?year=2025"));
    expect(year && request.url({})).toBe(`${BASE}/grades/raw`);
  });
  it("has the id as one segment", () => {
    const endpoint = endpointOf("/courses/:id");
    expect(readRequest(endpoint, eventOf("/courses/I%26C%20SCI/1/")).url({})).toBe(`${BASE}/courses/I%26C%20SCI%2F1`);
  });
});

describe("two queries are the same", () => {
  const params = { ids: { ...texts("ids"), ordered: true }, units: texts("units") };
  const normal = (values: Record<string, unknown>, id = "", dependsOn = "t") =>
    normalizedQuery("/things", id, values, dependsOn, params);
  it("whatever the order of their parameters and values is, where that does not count", () => {
    expect(normal({ units: ["b", "a"], year: "1" })).toBe(normal({ year: "1", units: ["a", "b"] }));
    const ranges = [{ low: 1 }, { low: 2 }];
    expect(normal({ codes: ranges })).toBe(normal({ codes: ranges.toReversed() }));
    expect(normal({ ids: ["b", "a"] })).not.toBe(normal({ ids: ["a", "b"] }));
    expect(normal({}, "A1")).toBe(normal({}, "a1"));
  });
  it("and differ by what they ask for", () => {
    const all = [
      ...[
        normal({}),
        normal({}, "ß"),
        normal({}, "ss"),
        normal({}, "", "u"),
        normal({ year: "1" }),
        normal({ year: "2" }),
      ],
      ...[normal({ codes: [{ low: 1 }] }), normal({ codes: [{ low: 2 }] }), normal({ units: ["1"] })],
      normalizedQuery("/others", "", {}, "t"),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("values", () => {
  const problemsOf = (query: string, params: Readonly<Record<string, Param<unknown>>>) =>
    readQuery(new URLSearchParams(query), params).problems;
  it("that are more than one are told, the first three by name", () => {
    expect(problemsOf("q=a&q=b&q=c&q=d", { q: text("text") })).toEqual([
      'Parameter "q" takes one value but was given 4 different ones: "a", "b", "c"',
    ]);
    expect(problemsOf("q=a,b&q=c", { q: text("text") })).toEqual([
      'Invalid q provided: "a,b,c" (allowed: one value, without commas)',
    ]);
  });
  it("are all told where no single one is wrong", () => {
    const pair: Param<unknown> = {
      ...listOf("two", (item) => item, "two"),
      read(items) {
        if (items.length !== 2) throw new ParamProblem("two items");
        return items;
      },
    };
    expect(problemsOf("pair=a,b,c", { pair })).toEqual(['Invalid pair provided: "a,b,c" (allowed: two items)']);
  });
  it("an error of the program is not one of the client", () => {
    const broken: Param<unknown> = {
      ...flag("broken"),
      read() {
        throw new TypeError("a bug");
      },
    };
    expect(() => problemsOf("broken=true", { broken })).toThrow("a bug");
  });
});
