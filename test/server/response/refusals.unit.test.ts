/** What every endpoint refuses, and in which words (server/RULES.md, HTTP). */
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { refusalOf } from "../../support/refusals.ts";

const STRICT = { Prefer: "handling=strict" };
const ofGrades = (query: string, headers = {}) => refusalOf("/grades/raw", query, headers);

it.each(endpoints.map((endpoint) => [endpoint.path, Object.keys(endpoint.params)] as const))(
  "%s: of every parameter that is wrong the name is in the message, which stays below 4 KB",
  (path, names) => {
    // As many as an address has room for.
    const smileys = "😀".repeat(
      Math.floor((8000 / names.length - "excludeRestrictionCodes=&".length) / "%F0%9F%98%80".length),
    );
    for (const junk of ["\u0000", '"'.repeat(40), smileys]) {
      const query = new URLSearchParams(names.map((name): [string, string] => [name, junk]));
      const message = refusalOf(path, query.toString());
      if (junk === "\u0000") for (const name of names) expect(message).toContain(`"${name}"`);
    }
  },
);

describe("grades", () => {
  it.each([
    ["year=24", 'Invalid year provided: "24" (allowed: a year of four digits)'],
    ["year=20245", "year"],
    ["year=２０２４", "year"],
    ["quarter=fall", "Winter, Spring, Summer1, Summer10wk, Summer2, Fall"],
    ["quarter=Autumn", "quarter"],
    ["sectionCode=1234", "a section code of five digits"],
    ["sectionCode=123456", "sectionCode"],
    ["sectionCode=12345-12350", "sectionCode"],
    ["division=lowerdiv", "LowerDiv, UpperDiv, Graduate"],
    ["ge=GE-9", "GE-1A, GE-1B, GE-2, GE-3, GE-4, GE-5A, GE-5B, GE-6, GE-7, GE-8"],
    ["ge=ge-2", "ge"],
    ["excludePNP=1", "true or false"],
    ["excludePNP=True", "excludePNP"],
    ["excludePNP=yes", "excludePNP"],
  ])("?%s is a 400 that says what is allowed", (query, words) => {
    for (const view of ["raw", "aggregate", "options", "aggregateByCourse", "aggregateByOffering"])
      expect(refusalOf(`/grades/${view}`, query)).toContain(words);
  });

  it('"single-valued parameter given twice with different values: 400"', () => {
    expect(ofGrades("year=2024&year=2023")).toBe(
      'Parameter "year" takes one value but was given 2 different ones: "2024", "2023"',
    );
    expect(ofGrades("year=2024&year=&year=2024&sectionCode=10001")).toBeUndefined();
  });

  it("several problems are joined by `; `, those of unknown parameters last", () => {
    expect(ofGrades("year=x&quarter=y&ge=z")?.split("; ")).toHaveLength(3);
    expect(ofGrades("year=24&dept=DANCE&xyzzy=%22a%0d%0a")).toBe(
      'Invalid year provided: "24" (allowed: a year of four digits); Ignored unknown parameter "dept". Did you mean department?; Ignored unknown parameter "xyzzy"',
    );
    expect(ofGrades("year=24&dept=DANCE", STRICT)).toBe(
      'Invalid year provided: "24" (allowed: a year of four digits); Unknown parameter "dept". Did you mean department?',
    );
  });

  it("percent-encoding is the same name", () => {
    expect(ofGrades("%64ept=1", STRICT)).toContain('Unknown parameter "dept"');
    expect(ofGrades("%79ear=1999", STRICT)).toBeUndefined();
  });
});
