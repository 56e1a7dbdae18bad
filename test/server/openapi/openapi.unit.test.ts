/** The OpenAPI document: valid by a judge of its own, complete, without loose ends, and true: its examples are the server's. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { BULK_MANIFEST } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { MANIFEST_CHANGES_TYPE } from "../../../server/data/manifest-changes.ts";
import { BASE } from "../../../server/response/endpoint.ts";
import { EXPLANATION_TYPE } from "../../../server/response/explain/shape.ts";
import { modeOf } from "../../support/published/app-of.ts";
import { toDocument } from "../../../server/docs/pages.ts";
import { plain } from "../../../server/modes.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { type OpenApiDocument, openJudge } from "../../support/documented.ts";

const document = toDocument(plain) as unknown as OpenApiDocument;

const [JSON_TYPE, PARQUET] = ["application/json", "application/vnd.apache.parquet"];
const DUCKLAKE = "application/octet-stream";
const FURTHER_FORMATS: Record<string, readonly string[]> = {
  [`${BASE}/changes`]: ["application/atom+xml", "text/event-stream"],
  [`${BASE}/schedule`]: ["text/calendar"],
};
const FORMATS = ["text/csv", "application/x-ndjson", PARQUET];

const template = (path: string) => BASE + path.replace(":id", "{id}");

function* within(value: unknown, path: string[] = []): Generator<[path: string[], value: Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  yield [path, value as Record<string, unknown>];
  for (const [key, inner] of Object.entries(value)) yield* within(inner, [...path, key]);
}

describe("the document", () => {
  it.each([false, true])("is valid OpenAPI 3.1 (COMPAT: %s)", async (compat) => {
    const validator = new Validator();
    const made = toDocument(modeOf(compat));
    expect(await validator.validate(structuredClone(made))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    // The judge can say no.
    const { info: _info, ...headless } = made;
    expect((await new Validator().validate(headless)).valid).toBe(false);
  });

  it("says the loud thing about finals, twice, and what COMPAT=1 changes", () => {
    expect(document.info.description).toMatch(/\*\*`finalExam\.month` is ZERO-BASED: January is 0/);
    const { properties } = document.components.schemas["FinalExam"] as { properties: Record<string, object> };
    expect(properties["month"]).toMatchObject({ description: expect.stringMatching(/^ZERO-BASED: January is 0/) });
    expect(document.info.description).toMatch(/COMPAT=1.+envelope/s);
  });

  it("documents every endpoint, and the pages beside them", () => {
    const pages = [
      "/v1/data/manifest.json",
      "/v1/snapshots",
      "/v1/snapshots/{id}",
      "/v1/data/lake.ducklake",
      "/v1/data/{generation}/lake.ducklake",
      "/v1/data/{generation}/{path}",
      "/health",
      "/health/live",
      "/health/ready",
      "/ready",
      "/v1/openapi.json",
      "/v1",
      "/v1/rest",
      "/client.ts",
      "/client.js",
    ];
    const expected = [...endpoints.map(({ path }) => template(path)), ...pages];
    expect(Object.keys(document.paths).sort()).toEqual(expected.sort());
    for (const path of Object.values(document.paths)) expect(Object.keys(path)).toEqual(["get"]);
  });

  it("lists every media type of each answer with one schema, an explanation with its own; x-formats says how they are written", () => {
    for (const [path, { get }] of Object.entries(document.paths))
      for (const [status, { content = {}, "x-formats": formats }] of Object.entries(get.responses)) {
        const published = path.endsWith("lake.ducklake")
          ? DUCKLAKE
          : path.endsWith("/{path}")
            ? PARQUET
            : ({ "/client.ts": "text/typescript", "/client.js": "text/javascript" } as Record<string, string>)[path];
        const types = [status.startsWith("2") && published !== undefined ? published : JSON_TYPE];
        const isEmpty = status === "304" || "$ref" in (get.responses[status] ?? {});
        const isData = path.startsWith(`${BASE}/`);
        const isAnswer = isData && status === "200";
        const others = [...(FURTHER_FORMATS[path] ?? []), ...FORMATS];
        if (isAnswer) types.push(...others, EXPLANATION_TYPE);
        if (path === BULK_MANIFEST && status === "200") types.push(MANIFEST_CHANGES_TYPE);
        const named = isData && status === "206" ? FORMATS : types;
        expect([path, status, Object.keys(content)]).toEqual([path, status, isEmpty ? [] : named]);
        // A union of them, parts included, is the type of the JSON.
        const json = JSON.stringify(get.responses["200"]?.content?.[JSON_TYPE]?.schema);
        if (isData && status.startsWith("2"))
          for (const [type, { schema }] of Object.entries(content))
            expect([type, json?.includes(JSON.stringify(schema))]).toEqual([type, type !== EXPLANATION_TYPE]);
        expect([path, status, Object.keys(formats ?? {})]).toEqual([path, status, isAnswer ? others : []]);
      }
  });

  it("names every operation once, and every tag that one has", () => {
    const operations = Object.values(document.paths).map(({ get }) => get);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    const tags = document.tags.map(({ name }) => name);
    expect([...new Set(operations.flatMap((operation) => operation.tags))].sort()).toEqual(tags.sort());
    for (const { description } of document.tags) expect(description).toMatch(/\w/);
  });

  it("has no reference that leads nowhere", () => {
    const references = [...within(document)].flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : []));
    expect(references.length).toBeGreaterThan(endpoints.length);
    for (const reference of references) {
      const [root, ...steps] = reference.split("/");
      expect(root).toBe("#");
      let at: unknown = document;
      for (const step of steps) at = (at as Record<string, unknown> | undefined)?.[step];
      expect(at, reference).toBeTypeOf("object");
    }
  });

  it("describes every field of every answer, and no answer may have others", () => {
    let fields = 0;
    for (const [path, schema] of within(document.components.schemas)) {
      if (schema["type"] !== "object" || path.at(-1) === "properties") continue;
      const properties = (schema["properties"] ?? {}) as Record<string, Record<string, unknown>>;
      if (!("description" in schema && "additionalProperties" in schema))
        expect([path, schema["additionalProperties"]]).toEqual([path, false]);
      for (const [name, field] of Object.entries(properties)) {
        fields++;
        const refers = JSON.stringify(field).includes("$ref") || field["type"] === "object" || "items" in field;
        if (!refers) expect([path, name, field["description"]]).toEqual([path, name, expect.stringMatching(/\w/)]);
      }
    }
    expect(fields).toBeGreaterThan(120);
  });

  it("can be read by generators: one spelling of each value, types beside values, no pattern beside a format, numbers in double precision", () => {
    for (const compat of [false, true])
      for (const [path, schema] of within(toDocument(modeOf(compat)))) {
        const { enum: values, const: value, type, format, pattern } = schema;
        const at = path.join("/");
        if (Array.isArray(values)) {
          const identifiers = values.map((one) => String(one).toLowerCase().replaceAll(/\W/g, ""));
          expect([at, identifiers.length]).toEqual([at, new Set(identifiers).size]);
        }
        if (path.includes("headers") && (values ?? value) !== undefined)
          expect([at, type]).toEqual([at, expect.any(String)]);
        if (typeof format === "string") expect([at, pattern]).toEqual([at, undefined]);
        if (type === "number") expect([at, format]).toEqual([at, "double"]);
      }
    for (const name of ["Time", "Date", "Error", "Object", "String", "List", "Map"])
      expect(Object.keys(document.components.schemas)).not.toContain(name);
  });

  it("gives examples of headers, answers and errors that are what it says", () => {
    for (const compat of [false, true]) {
      const made = toDocument(modeOf(compat)) as unknown as OpenApiDocument;
      const judge = openJudge(made);
      for (const [name, { schema, example }] of Object.entries(made.components.headers))
        judge.check(schema as Record<string, unknown>, example, name);
      const operations = Object.entries(made.paths).map(([path, { get }]) => [path, get] as const);
      let bodies = 0;
      for (const [path, { responses }] of operations) {
        for (const [status, response] of Object.entries(responses)) {
          const { content } = judge.follow(response);
          const body = content?.[JSON_TYPE] as { schema: Record<string, unknown>; example?: unknown } | undefined;
          // Itself is no example of itself.
          if (body && !(path === "/v1/openapi.json" && status === "200")) {
            expect(body.example, `${path} ${status}`).toBeDefined();
            judge.check(body.schema, body.example, `the example of ${path} ${status}`);
            bodies++;
          }
        }
      }
      expect(bodies).toBeGreaterThanOrEqual(5 * endpoints.length);
    }
  });
});
