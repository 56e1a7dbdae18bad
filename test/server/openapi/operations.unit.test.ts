/** Every operation of the OpenAPI document: its parameters, enumerations, patterns, answers and errors are the server's. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { BASE, type Endpoint } from "../../../server/response/endpoint.ts";
import { representationsOf } from "../../../server/response/representations/all.ts";
import { readQuery } from "../../../server/response/query.ts";
import { toDocument } from "../../../server/docs/pages.ts";
import { plain } from "../../../server/modes.ts";
import { type OpenApiDocument, openJudge, type Operation } from "../../support/documented.ts";

const document = toDocument(plain) as unknown as OpenApiDocument;

const judge = openJudge(document);
const operationOf = (path: string) => document.paths[BASE + path.replace(":id", "{id}")]?.get as Operation;
const byPath = endpoints.map((endpoint) => [endpoint.path, endpoint] as const);

describe.each(byPath)("%s", (path, endpoint) => {
  it("has its parameters, described, with examples that the server takes", () => {
    const { parameters, summary } = operationOf(path);
    expect(summary).toMatch(/\w/);
    const inQuery = parameters.filter((one) => one.in === "query");
    expect(inQuery.map(({ name }) => name)).toEqual(Object.keys(endpoint.params));
    for (const { name, required, description, schema, style, explode, example } of inQuery) {
      const param = endpoint.params[name];
      expect(required).toBe(param?.required ?? false);
      expect(description, name).toMatch(/\w/);
      expect([style, explode, schema["type"] === "array"]).toEqual(
        param?.multi ? ["form", false, true] : [undefined, undefined, false],
      );
      const { examples } = schema as { examples: unknown[] };
      expect(examples, name).not.toHaveLength(0);
      for (const one of [...examples, ...(example === undefined ? [] : [example])]) {
        judge.check(schema, one, `an example of ${name}`);
        expect([name, problemWith(endpoint, name, String(one))]).toEqual([name, undefined]);
      }
      if ("default" in schema) judge.check(schema, schema["default"], `the default of ${name}`);
    }
    const inPath = parameters.filter((one) => one.in === "path");
    expect(inPath.map(({ name, required }) => [name, required])).toEqual(path.includes(":id") ? [["id", true]] : []);
    for (const { description, example } of inPath) expect([description, example]).not.toContain(undefined);
  });

  it("tells of parts where it answers with an array or a tree of courses, and of Prefer", () => {
    const { parameters, responses } = operationOf(path);
    const schema = document.components.schemas[endpoint.returns.name] as { type?: string };
    const isPaged = schema.type === "array" || path === "/schedule";
    const bounds = Object.fromEntries(
      parameters.map(({ name, schema: { type, minimum, maximum } }) => [name, [type, minimum, maximum]]),
    );
    expect([bounds["limit"], bounds["offset"]]).toEqual(
      isPaged
        ? [
            ["integer", 1, 10_000],
            ["integer", 0, undefined],
          ]
        : [undefined, undefined],
    );
    const headers = Object.keys(responses["200"]?.headers ?? {});
    // A course links to what there is under its other names.
    const hasLink = isPaged || endpoint.links !== undefined;
    expect([headers.includes("Link"), headers.includes("X-Total-Count")]).toEqual([hasLink, isPaged]);
    expect(headers.includes("Content-Location")).toBe(endpoint.links !== undefined);
    expect(parameters.filter((one) => one.in === "header").map(({ name, required }) => [name, required])).toEqual([
      ["Prefer", false],
    ]);
    for (const status of ["200", "304", "400"])
      expect(Object.keys(responses[status]?.headers ?? {})).toContain("Preference-Applied");
  });

  it("has enumerations that are all that is accepted", () => {
    for (const { name, schema } of operationOf(path).parameters) {
      const words = schema["enum"] as string[] | undefined;
      if (!words) continue;
      for (const word of words) {
        expect([word, problemWith(endpoint, name, word)]).toEqual([word, undefined]);
        for (const other of [word.toLowerCase(), word.toUpperCase(), `${word} `, `${word}x`, word.slice(1)])
          if (!words.includes(other)) expect(problemWith(endpoint, name, other)).toContain(name);
      }
    }
  });

  it("has patterns that let through whatever is accepted", () => {
    const pieces = fc.constantFrom(..."0123456789 -:.<>=aApPmMhH", ..."Su M Tu W Th F Sa VAR 12 5".split(" "));
    for (const { name, schema } of operationOf(path).parameters) {
      const { pattern } = ((schema["items"] as object | undefined) ?? schema) as { pattern?: string };
      if (pattern === undefined) continue;
      const form = new RegExp(pattern, "u");
      fc.assert(
        fc.property(
          fc.oneof(
            fc.stringMatching(form),
            fc.array(pieces, { maxLength: 7 }).map((all) => all.join("")),
          ),
          (value) => {
            fc.pre(value.trim() !== "");
            return form.test(value.trim()) || problemWith(endpoint, name, value) !== undefined;
          },
        ),
        { numRuns: 300 },
      );
    }
  });

  it("has its answers; an example of a wrong question is what the server says to one", () => {
    const { responses } = operationOf(path);
    const expected = ["200", "304", "400", "404", "414", "429", "500", "503", "default"];
    if (path === "/schedule") expected.push("502", "504");
    const inParts = representationsOf(endpoint).flatMap(({ hasRanges, types: [type = ""] }) =>
      hasRanges ? [type.split(";")[0]] : [],
    );
    if (inParts.length > 0) expected.push("206", "416");
    expect(Object.keys(responses["206"]?.content ?? {})).toEqual(inParts);
    expect(Object.keys(responses).sort()).toEqual(expected.sort());
    const body = responses["200"]?.content?.["application/json"];
    const refTo = ({ name }: { name: string }) => ({ $ref: `#/components/schemas/${name}` });
    const { returns, single } = endpoint;
    expect(body?.schema).toEqual(single ? { oneOf: [refTo(returns), refTo(single.returns)] } : refTo(returns));
    const messageOf = (status: string) =>
      (responses[status]?.content?.["application/json"] as { example?: { message: string } } | undefined)?.example
        ?.message;
    if (Object.keys(endpoint.params).length > 0) {
      const messages = ["", ...Object.keys(endpoint.params).map((name) => `${name}=fall`)].map((query) => {
        const { values, problems, refused } = readQuery(new URLSearchParams(query), endpoint.params);
        return [...problems, ...(endpoint.check?.(values, refused) ?? [])].join("; ");
      });
      const hasRule = operationOf(path).parameters.some(({ schema }) => schema["enum"] ?? schema["pattern"]);
      if (hasRule) expect(messages).toContain(messageOf("400"));
    }
  });
});

/** What the server says against one value of one parameter. */
function problemWith(endpoint: Endpoint, name: string, value: string): string | undefined {
  const { problems, refused } = readQuery(new URLSearchParams([[name, value]]), endpoint.params);
  return refused.has(name) ? problems.find((problem) => problem.includes(name)) : undefined;
}
