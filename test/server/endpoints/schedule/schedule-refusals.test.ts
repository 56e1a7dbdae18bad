/** What the schedule endpoint refuses (specification §1, server/RULES.md, HTTP and Schedule), and what it just about accepts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { publishRows } from "../../../support/published/published.ts";
import { WRONG_VALUES } from "./schedule-wrong-values.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";

const TERM = "year=2024&quarter=Fall";
const CACHED = `${TERM}&cacheOnly=true`;
const STARRED =
  'At least one of "ge", "department", "sectionCodes" or "instructorName" must be provided, and not be ANY, unless cacheOnly is true';

interface ErrorBody {
  statusCode: number;
  error: string;
  message: string;
  requestId: string;
  timestamp: string;
}

describe("refusals of the schedule endpoint", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    folder = await openFolder();
    const sections = [sectionRow()];
    await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) });
    server = await serve(folder.env);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });

  /** The message of a 400, in the shape of all errors. */
  async function refusal(query: string): Promise<string> {
    const response = await server.get(`/schedule?${query}`);
    const text = await response.text();
    expect({ query, status: response.status }).toEqual({ query, status: 400 });
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    const body = JSON.parse(text) as ErrorBody;
    expect(Object.keys(body)).toEqual(["statusCode", "error", "message", "requestId", "timestamp"]);
    expect(body).toMatchObject({ statusCode: 400, error: "Bad Request" });
    expect(body.requestId).toBe(response.headers.get("x-request-id"));
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
    // "Never SQL, a stack, a path or a dependency's text."
    expect(body.message).not.toMatch(/select|\bat .*:\d+|node_modules|\.ts\b|duckdb|zod|tmp/i);
    return body.message;
  }

  it.each([
    ["", ['Parameter "year" not provided', 'Parameter "quarter" not provided', STARRED]],
    ["year=2024", ['Parameter "quarter" not provided', STARRED]],
    ["quarter=Fall&cacheOnly=true", ['Parameter "year" not provided']],
    ["year=&quarter=&cacheOnly=true", ['Parameter "year" not provided', 'Parameter "quarter" not provided']],
  ])("missing year or quarter: ?%s", async (query, problems) => {
    expect(await refusal(query)).toBe(problems.join("; "));
  });

  it.each(WRONG_VALUES)(
    '"The message names the parameter, the value it got and what is allowed": %s=%s',
    async (name, value, allowed) => {
      const query = new URLSearchParams({
        year: "2024",
        quarter: "Fall",
        cacheOnly: "true",
        department: "X",
        [name]: value,
      });
      expect(await refusal(query.toString())).toBe(`Invalid ${name} provided: "${value}" (allowed: ${allowed})`);
    },
  );

  it("of a list, the item that is wrong is named", async () => {
    expect(await refusal(`${CACHED}&sectionCodes=10001,1000,10002`)).toContain('sectionCodes provided: "1000" (');
    expect(await refusal(`${CACHED}&days=M&days=W,T`)).toContain('days provided: "T" (');
    expect(await refusal(`${CACHED}&units=4,5-6`)).toContain('units provided: "5-6" (');
  });

  it('"at least one of ge, department, sectionCodes, instructorName that is not blank, ANY or ALL"', async () => {
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
      expect(await refusal(`${TERM}&${none}`)).toBe(STARRED);
    for (const one of [
      "ge=GE-2",
      "department=X",
      "sectionCodes=10000",
      "instructorName=a",
      "ge=ANY&department=X",
      "cacheOnly=true",
    ])
      expect((await server.get(`/schedule?${TERM}&${one}`)).status).toBe(200);
  });

  it("the rules across parameters", async () => {
    expect(await refusal(`${CACHED}&room=100`)).toBe('If "room" is provided, "building" must also be provided');
    expect(await refusal(`${CACHED}&room=100&building=`)).toBe(
      'If "room" is provided, "building" must also be provided',
    );
    expect(await refusal(`${TERM}&department=X&includeCoCourses=true`)).toBe(
      "If includeCoCourses is true, cacheOnly must be true",
    );
    expect(await refusal(`${TERM}&ge=GE-2&includeCoCourses=true&cacheOnly=false`)).toBe(
      "If includeCoCourses is true, cacheOnly must be true",
    );
    expect(await refusal(`${CACHED}&cache=false`)).toBe("cacheOnly cannot be true if cache is false");
    expect((await server.get(`/schedule?${CACHED}&cache=true&includeCoCourses=true&building=ALP&room=1`)).status).toBe(
      200,
    );
    expect((await server.get(`/schedule?${TERM}&department=X&includeCoCourses=false`)).status).toBe(200);
  });

  it('"single-valued parameter given twice with different values: 400"; the same value twice is one', async () => {
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
      expect(await refusal(query.toString())).toBe(
        `Parameter "${name}" takes one value but was given 2 different ones: "${one}", "${other}"`,
      );
    }
    expect((await server.get(`/schedule?${CACHED}&year=2024&quarter=Fall&year=&ge=GE-2&ge=GE-2`)).status).toBe(200);
  });

  it.each([
    ["5000", "5000", "05000"],
    ["10001,5000", "5000", "05000"],
    ["5000-5999", "5000-5999", "05000-05999"],
    ["9000 - 10001", "9000 - 10001", "09000 - 10001"],
    ["99", "99", "00099"],
  ])("a section code without its zeros is refused with the whole one: sectionCodes=%s", async (codes, wrong, whole) => {
    expect(await refusal(`${CACHED}&sectionCodes=${codes}`)).toBe(
      `Invalid sectionCodes provided: "${wrong}" (allowed: section codes of five digits, or ranges low-high of them). Did you mean ${whole}?`,
    );
  });

  it.each(["123456", "6000-5000", "5000-", "12a4", "-5000", "1,x"])(
    "what zeros do not make right is refused without a suggestion: sectionCodes=%s",
    async (codes) =>
      expect(await refusal(`${CACHED}&sectionCodes=${codes.split(",").at(-1)}`)).not.toContain("Did you mean"),
  );

  it('"A 400 names every wrong parameter of the request, not only the first", joined by "; "', async () => {
    const message = await refusal(
      "year=1&quarter=2&cache=3&ge=4&sectionCodes=5&room=6&units=x&days=8&startTime=y&maxCapacity=10",
    );
    const named = message.split("; ").map((problem) => /^Invalid (\w+) provided/.exec(problem)?.[1] ?? problem);
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

  it('"the value it got (cut at 100 characters)"; "Body ≤ 4 KB", whatever the values are', async () => {
    const message = await refusal(`${CACHED}&units=${"9".repeat(400)}`);
    expect(message).toContain(`"${"9".repeat(100)}…"`);
    expect(message).not.toContain("9".repeat(101));
    const names = ["year", "quarter", "cache", "cacheOnly", "includeCoCourses", "ge", "sectionCodes", "division"];
    names.push("courseNumber", "sectionType", "units", "days", "startTime", "endTime", "maxCapacity", "fullCourses");
    names.push("cancelledCourses");
    const all = await refusal(
      new URLSearchParams(names.map((name): [string, string] => [name, "~".repeat(101)])).toString(),
    );
    for (const name of names) expect(all).toContain(`Invalid ${name} provided`);
    for (const nasty of ['"', "\\", "\u0007", "€", "😀", "<"]) {
      const query = new URLSearchParams(names.map((name): [string, string] => [name, nasty.repeat(101)]));
      // An address has to fit as well: percent-encoding makes of one character up to twelve.
      while (query.toString().length > 7_900) query.delete([...query.keys()].at(-1) ?? "");
      const said = await refusal(query.toString());
      expect(said).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    }
  });

  it("the character U+0000 and broken percent-encoding are no way in", async () => {
    expect(await refusal(`${CACHED}&courseTitle=a%00b`)).toBe(
      'Parameter "courseTitle" must not hold the character U+0000',
    );
    expect((await server.get(`/schedule?${CACHED}&courseTitle=%E0%A4%A`)).status).toBe(200);
    expect((await server.get(`/schedule?${CACHED}&courseTitle=%ED%A0%80`)).status).toBe(200);
  });

  it("SQL in a value is a value", async () => {
    for (const value of ["' OR 1=1 --", "'; DROP TABLE sections; --", "$1", "?", "{}", "\\'"]) {
      for (const name of ["department", "instructorName", "building", "courseTitle"])
        expect(await server.json(`/schedule?${CACHED}&${new URLSearchParams({ [name]: value })}`)).toEqual({
          schools: [],
        });
    }
    expect(JSON.stringify(await server.json(`/schedule?${CACHED}`))).toContain('"10000"');
  });
});
