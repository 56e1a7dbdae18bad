/** The examples beside the parsers are read as they say, and RULES.md shows all of them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AS_OF_EXAMPLES, momentOf } from "../../../pipeline/contract/as-of.ts";
import { scheduleFilters } from "../../../server/endpoints/schedule/schedule-filters.ts";
import { SCHEDULE_EXAMPLES } from "../../../server/endpoints/schedule/schedule-params.ts";
import { type Examples, flag, FLAG_EXAMPLES, type Param, ParamProblem } from "../../../server/response/params.ts";
import { pageParams, PAGING_EXAMPLES } from "../../../server/response/paging.ts";
import { OTHER_NAMES } from "../../../server/response/other-names.ts";
import { isStrict, PREFER_EXAMPLES } from "../../../server/response/negotiation.ts";
import { REQUEST_LIMITS } from "../../../server/response/request-limits.ts";
import { courseEndpoints } from "../../../server/endpoints/courses.ts";

const paged = courseEndpoints.map(pageParams).find((params) => "limit" in params) ?? {};
const PARAMS: Readonly<Record<string, { readonly param: Param<unknown>; readonly examples: Examples }>> = {
  ...Object.fromEntries(
    Object.entries(SCHEDULE_EXAMPLES).map(([name, examples]) => [
      name,
      { param: scheduleFilters[name as keyof typeof SCHEDULE_EXAMPLES].param as Param<unknown>, examples },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(PAGING_EXAMPLES).map(([name, examples]) => [
      name,
      { param: paged[name] as Param<unknown>, examples },
    ]),
  ),
  cacheOnly: { param: flag("") as Param<unknown>, examples: FLAG_EXAMPLES.filter(([text]) => text !== "") },
};

/** As a request is read: items of a list are separated by commas. */
function read({ multi, read }: Param<unknown>, text: string): unknown {
  try {
    return read(multi ? text.split(",").map((item) => item.trim()) : [text]);
  } catch (error) {
    if (error instanceof ParamProblem) return undefined;
    throw error;
  }
}

const cases = Object.entries(PARAMS).flatMap(([name, { param, examples }]) =>
  examples.map(([text, expected]) => ({ name, param, text, expected })),
);

describe("examples beside the parsers", () => {
  it.each(cases)("$name=$text", ({ param, text, expected }) => {
    expect(read(param, text)).toEqual(expected);
  });

  it.each(PREFER_EXAMPLES)("Prefer: %s", (header, strict) => expect(isStrict(header)).toBe(strict));

  it.each(AS_OF_EXAMPLES)("asOf=%s", (text, expected) => {
    const moment = momentOf(text, Date.parse("2026-11-20T12:00:00Z"));
    expect(moment === undefined ? undefined : new Date(moment).toISOString()).toBe(expected);
  });
});

it("RULES.md has the tables of the examples and of the limits", () => {
  const code = (text: string) => `\`${text}\``;
  const rows = Object.entries(PARAMS).map(([name, { examples }]) => {
    const of = (isRead: boolean) =>
      examples.filter(([, value]) => (value !== undefined) === isRead).map(([text]) => code(text));
    return `| ${code(name)} | ${of(true).join(", ")} | ${of(false).join(", ")} |`;
  });
  const times = AS_OF_EXAMPLES.map(([text, time]) => `| ${code(text)} | ${time ?? "a 400"} |`);
  const headers = PREFER_EXAMPLES.map(([header, strict]) => `| ${code(header)} | ${strict ? "strict" : "not"} |`);
  const table = (heading: string, lines: string[]) =>
    [heading, heading.replaceAll(/[^|]+/g, "---"), ...lines].join("\n");
  const rules = readFileSync(new URL("../../../server/RULES.md", import.meta.url), "utf8");
  const shown = (name: string) => name.split(" and ").map(code).join(" and ");
  const names = OTHER_NAMES.map(
    ([elsewhere, here]) => `| ${elsewhere.map(code).join(", ")} | ${here.map(shown).join(", ") || "nothing"} |`,
  );
  expect(rules).toContain(table("| elsewhere | here: the first that the endpoint has |", names));
  expect(rules).toContain(table("| parameter | accepted | refused |", rows));
  expect(rules).toContain(table("| asOf, at noon of 2026-11-20 in UTC | the time that is meant |", times));
  const limits = Object.values(REQUEST_LIMITS).map(
    ({ most, of, beyond }) => `| ${of} | ${most.toLocaleString("en")} | ${beyond} |`,
  );
  expect(rules).toContain(table("| what a client can multiply | at most | beyond |", limits));
  expect(rules).toContain(table("| Prefer | unknown parameters are refused |", headers));
});
