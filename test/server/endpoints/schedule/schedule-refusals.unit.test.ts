/** What the schedule endpoint refuses (specification §1, server/RULES.md, HTTP and Schedule), and what it just about accepts. */
import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../support/refusals.ts";
import { WRONG_VALUES } from "./schedule-wrong-values.ts";

const TERM = "year=2024&quarter=Fall";
const CACHED = `${TERM}&cacheOnly=true`;
const STARRED =
  'At least one of "ge", "department", "sectionCodes" or "instructorName" must be provided, and not be ANY, unless cacheOnly is true';

const refusal = (query: string) => refusalOf("/schedule", query);

describe("refusals of the schedule endpoint", () => {
  it.each([
    ["", ['Parameter "year" not provided', 'Parameter "quarter" not provided', STARRED]],
    ["year=2024", ['Parameter "quarter" not provided', STARRED]],
    ["quarter=Fall&cacheOnly=true", ['Parameter "year" not provided']],
    ["year=&quarter=&cacheOnly=true", ['Parameter "year" not provided', 'Parameter "quarter" not provided']],
  ])("missing year or quarter: ?%s", (query, problems) => {
    expect(refusal(query)).toBe(problems.join("; "));
  });

  it.each(WRONG_VALUES)(
    '"The message names the parameter, the value it got and what is allowed": %s=%s',
    (name, value, allowed) => {
      const query = new URLSearchParams({
        year: "2024",
        quarter: "Fall",
        cacheOnly: "true",
        department: "X",
        [name]: value,
      });
      expect(refusal(query.toString())).toBe(`Invalid ${name} provided: "${value}" (allowed: ${allowed})`);
    },
  );

  it("of a list, the item that is wrong is named", () => {
    expect(refusal(`${CACHED}&sectionCodes=10001,1000,10002`)).toContain('sectionCodes provided: "1000" (');
    expect(refusal(`${CACHED}&days=M&days=W,T`)).toContain('days provided: "T" (');
    expect(refusal(`${CACHED}&units=4,5-6`)).toContain('units provided: "5-6" (');
  });

  it('"at least one of ge, department, sectionCodes, instructorName that is not blank, ANY or ALL"', () => {
    for (const none of [
      "",
      "ge=ANY",
      "ge=ALL&department=ALL",
      "ge=&department=&sectionCodes=&instructorName=",
      "department=any",
      "department=%20",
      "instructorName=%20%20",
      "instructorName=ANY",
      "instructorName=ALL",
      "sectionCodes=,",
      "courseNumber=10&courseTitle=MOVEMENT&building=ALP&days=M&units=4",
      "cacheOnly=false",
      "cacheOnly=&cache=true",
    ])
      expect(refusal(`${TERM}&${none}`)).toBe(STARRED);
    for (const one of [
      "ge=GE-2",
      "department=X",
      "sectionCodes=10000",
      "instructorName=a",
      "ge=ANY&department=X",
      "cacheOnly=true",
    ])
      expect(refusal(`${TERM}&${one}`)).toBeUndefined();
  });

  it("the rules across parameters", () => {
    expect(refusal(`${CACHED}&room=100`)).toBe('If "room" is provided, "building" must also be provided');
    expect(refusal(`${CACHED}&room=100&building=`)).toBe('If "room" is provided, "building" must also be provided');
    expect(refusal(`${TERM}&department=X&includeCoCourses=true`)).toBe(
      "If includeCoCourses is true, cacheOnly must be true",
    );
    expect(refusal(`${TERM}&ge=GE-2&includeCoCourses=true&cacheOnly=false`)).toBe(
      "If includeCoCourses is true, cacheOnly must be true",
    );
    expect(refusal(`${CACHED}&cache=false`)).toBe("cacheOnly cannot be true if cache is false");
    expect(refusal(`${CACHED}&cache=true&includeCoCourses=true&building=ALP&room=1`)).toBeUndefined();
    expect(refusal(`${TERM}&department=X&includeCoCourses=false`)).toBeUndefined();
  });

  it('"single-valued parameter given twice with different values: 400"; the same value twice is one', () => {
    for (const [name, one, other] of [
      ["year", "2024", "2023"],
      ["department", "X", "x"],
      ["ge", "GE-2", "GE-3"],
      ["room", "1", "2"],
      ["cancelledCourses", "Only", "Include"],
    ]) {
      const query = new URLSearchParams([
        ...Object.entries({ year: "2024", quarter: "Fall", cacheOnly: "true", building: "ALP" }).filter(
          ([n]) => n !== name,
        ),
        [name as string, one as string],
        [name as string, other as string],
      ]);
      expect(refusal(query.toString())).toBe(
        `Parameter "${name}" takes one value but was given 2 different ones: "${one}", "${other}"`,
      );
    }
    expect(refusal(`${CACHED}&year=2024&quarter=Fall&year=&ge=GE-2&ge=GE-2`)).toBeUndefined();
  });

  it.each([
    ["5000", "5000", "05000"],
    ["10001,5000", "5000", "05000"],
    ["5000-5999", "5000-5999", "05000-05999"],
    ["9000 - 10001", "9000 - 10001", "09000 - 10001"],
    ["99", "99", "00099"],
  ])("a section code without its zeros is refused with the whole one: sectionCodes=%s", (codes, wrong, whole) => {
    expect(refusal(`${CACHED}&sectionCodes=${codes}`)).toBe(
      `Invalid sectionCodes provided: "${wrong}" (allowed: section codes of five digits, or ranges low-high of them). Did you mean ${whole}?`,
    );
  });

  it.each(["123456", "6000-5000", "5000-", "12a4", "-5000", "1,x"])(
    "what zeros do not make right is refused without a suggestion: sectionCodes=%s",
    (codes) => expect(refusal(`${CACHED}&sectionCodes=${codes.split(",").at(-1)}`)).not.toContain("Did you mean"),
  );

  it('"A 400 names every wrong parameter of the request, not only the first", joined by "; "', () => {
    const message = refusal(
      "year=1&quarter=2&cache=3&ge=4&sectionCodes=5&room=6&units=x&days=8&startTime=y&maxCapacity=10",
    );
    const named = message?.split("; ").map((problem) => /^Invalid (\w+) provided/.exec(problem)?.[1] ?? problem);
    expect(named).toEqual([
      "year",
      "quarter",
      "cache",
      "ge",
      "sectionCodes",
      "units",
      "days",
      "startTime",
      "maxCapacity",
      'If "room" is provided, "building" must also be provided',
    ]);
  });

  it('"the value it got (cut at 100 characters)"; "Body ≤ 4 KB", whatever the values are', () => {
    const message = refusal(`${CACHED}&units=${"9".repeat(400)}`);
    expect(message).toContain(`"${"9".repeat(100)}…"`);
    expect(message).not.toContain("9".repeat(101));
    const names = ["year", "quarter", "cache", "cacheOnly", "includeCoCourses", "ge", "sectionCodes", "division"];
    names.push("courseNumber", "sectionType", "units", "days", "startTime", "endTime", "maxCapacity", "fullCourses");
    names.push("cancelledCourses");
    const all = refusal(new URLSearchParams(names.map((name): [string, string] => [name, "~".repeat(101)])).toString());
    for (const name of names) expect(all).toContain(`Invalid ${name} provided`);
    for (const nasty of ['"', "\\", "\u0007", "€", "😀", "<"]) {
      const query = new URLSearchParams(names.map((name): [string, string] => [name, nasty.repeat(101)]));
      // An address has to fit as well: percent-encoding makes of one character up to twelve.
      while (query.toString().length > 7_900) query.delete([...query.keys()].at(-1) ?? "");
      const said = refusal(query.toString());
      expect(said).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    }
  });

  it("the character U+0000 and broken percent-encoding are no way in", () => {
    expect(refusal(`${CACHED}&courseTitle=a%00b`)).toBe('Parameter "courseTitle" must not hold the character U+0000');
    expect(refusal(`${CACHED}&courseTitle=%E0%A4%A`)).toBeUndefined();
    expect(refusal(`${CACHED}&courseTitle=%ED%A0%80`)).toBeUndefined();
  });
});
