/** The documentation that the server hands out: complete, without loose ends, and true of real answers. The start page: its links lead somewhere. */
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { BASE } from "../../server/app.ts";
import { endpoints } from "../../server/endpoints/all.ts";
import { SHAPES } from "../../server/shapes.ts";
import { openFolder, serve } from "../world.ts";
import { exampleOf } from "./examples.ts";
import { openSurface } from "./surface-server.ts";
import { ask } from "./wire.ts";

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Record<string, unknown>;
}
type Content = Record<string, { schema: { $ref: string } }>;
interface Operation {
  summary: string;
  parameters: Parameter[];
  responses: Record<string, { description: string; content?: Content }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

let surface: Awaited<ReturnType<typeof openSurface>>;
let document: Document;
beforeAll(async () => {
  surface = await openSurface();
  document = (await ask(`${surface.url}/openapi.json`)).json<Document>();
});
afterAll(() => surface?.close());

const documentedPath = (path: string) => BASE + path.replace(":id", "{id}");

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref") yield inner as string;
    else yield* referencesIn(inner);
  }
}

describe("/openapi.json", () => {
  it("is OpenAPI 3.1, and says the loud thing about finals", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect([document.info.title, document.info.version]).toEqual(["Academic Data REST Service", "1.0.0"]);
    expect(document.info.description).toMatch(/finalExam\.month is zero-based: January is 0/);
  });

  it("documents every endpoint and nothing else", () => {
    expect(Object.keys(document.paths).sort()).toEqual(endpoints.map(({ path }) => documentedPath(path)).sort());
  });

  it("has no reference that leads nowhere", () => {
    const references = [...referencesIn(document)];
    expect(references.length).toBeGreaterThan(endpoints.length);
    for (const reference of references) {
      const [root, ...steps] = reference.split("/");
      expect(root).toBe("#");
      let at: unknown = document;
      for (const step of steps) at = (at as Record<string, unknown> | undefined)?.[step];
      expect(at, reference).toBeTypeOf("object");
    }
  });

  it.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s: parameters, answers",
    (path, endpoint) => {
      const { get, ...others } = document.paths[documentedPath(path)] ?? {};
      expect(others).toEqual({});
      const { parameters, responses, summary } = get as Operation;
      expect(summary).not.toBe("");
      const inQuery = parameters.filter((one) => one.in === "query");
      expect(inQuery.map(({ name }) => name)).toEqual(Object.keys(endpoint.params));
      for (const { name, required, description, schema } of inQuery) {
        expect(required).toBe(endpoint.params[name]?.required ?? false);
        expect(description, name).toMatch(/\w/);
        expect(["string", "boolean", "number", "integer", "array"]).toContain(schema["type"]);
      }
      const inPath = parameters.filter((one) => one.in === "path");
      expect(inPath).toEqual(
        path.includes(":id") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : [],
      );
      for (const status of ["200", "304", "400", "503", ...(path.includes(":id") ? ["404"] : [])])
        expect(responses[status]?.description, status).toMatch(/\w/);
      expect(responses["200"]?.content?.["application/json"]?.schema.$ref).toBe(
        `#/components/schemas/${endpoint.returns}`,
      );
    },
  );
});

describe("real answers", () => {
  it.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s is what its shape says",
    async (_path, endpoint) => {
      const body = (await ask(`${surface.base}${exampleOf(endpoint)}`)).json<unknown>();
      // A field that the shape lacks would be gone after parsing.
      expect(SHAPES[endpoint.returns].parse(body)).toEqual(body);
      const documented = document.components.schemas[endpoint.returns] as Parameters<typeof z.fromJSONSchema>[0];
      expect(z.fromJSONSchema(documented).safeParse(body).error).toBeUndefined();
    },
  );

  it("the documented shape refuses what is not one", () => {
    const documented = document.components.schemas["RawGrades"] as Parameters<typeof z.fromJSONSchema>[0];
    expect(z.fromJSONSchema(documented).safeParse([{ year: 2024 }]).success).toBe(false);
  });

  it("errors are what the document says of them", async () => {
    const documented = document.components.schemas["Problem"] as Parameters<typeof z.fromJSONSchema>[0];
    for (const path of ["/grades/raw?year=x", "/courses/NOBODY", "/nothing"])
      expect(
        z.fromJSONSchema(documented).safeParse((await ask(`${surface.base}${path}`)).json()).error,
      ).toBeUndefined();
  });
});

describe("the start page", () => {
  it("names every endpoint; its links lead somewhere; nothing comes from elsewhere", async () => {
    const html = (await ask(surface.url)).text;
    const page = load(html);
    expect(html).toMatch(/^<!doctype html>/i);
    expect([page("html").attr("lang"), page("title").text(), page("meta[charset]").attr("charset")]).toEqual([
      "en",
      "Academic Data REST Service",
      "utf-8",
    ]);
    const text = page("body").text();
    for (const { path, summary } of endpoints) {
      expect(text).toContain(BASE + path);
      expect(text).toContain(summary);
    }
    expect(text).toContain(surface.id);
    expect(page("script, img, link, iframe")).toHaveLength(0);
    const links = page("a")
      .toArray()
      .map((link) => page(link).attr("href") ?? "");
    expect(links).toContain("/openapi.json");
    expect(links).toContain("/ready");
    expect(links.length).toBe(2 + endpoints.filter(({ path }) => !path.includes(":id")).length);
    for (const link of links) {
      expect(link).toMatch(/^\//);
      expect([link, (await ask(new URL(link, surface.url).href)).status]).toEqual([link, 200]);
    }
    // Invented people are announced; these rows are no sample campus.
    expect(page(".note")).toHaveLength(0);
  });

  it("says that nothing is published yet", async () => {
    const folder = await openFolder();
    const server = await serve(folder.env);
    expect(load((await ask(server.url)).text)("body").text()).toContain("No data has been published yet.");
    await server.close();
    await folder.remove();
  });
});
