/** A tool made from its endpoint: what it tells about itself, and the request that a call becomes. */
import { z } from "zod";
import { BASE, type Endpoint } from "../response/endpoint.ts";
import type { Params } from "../response/params.ts";
import { Problem, shown } from "../response/problem.ts";
import { unknownProblems } from "../response/warnings.ts";
import { toParameter } from "../openapi/operation.ts";
import { tidy } from "../openapi/schemas.ts";
import type { ToolRecord } from "./tools.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** As `tools/list` has it. */
export interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly outputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly annotations: { readonly readOnlyHint: true; readonly idempotentHint: true; readonly openWorldHint: false };
}

export interface EndpointTool {
  readonly record: ToolRecord;
  readonly definition: Definition;
  readonly params: Params;
  /** @throws Problem (400, 404) for arguments that no request can have */
  toUrl(given: Arguments): string;
}

/** What every result has. */
const RESULT = {
  snapshot: z.string().describe("id of the published snapshot that the data is from; equal data has an equal id"),
  updated: z.iso.datetime().optional().describe("when this data was crawled or built"),
  total: z.int().optional().describe("how many elements match"),
  warnings: z.array(z.string()).describe("what was not understood, with suggestions"),
  narrow: z.string().optional().describe("why there is no data, and how to ask for less"),
};

export function toDefinition(
  { name, title }: Pick<Definition, "name" | "title">,
  description: string,
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
  data: z.ZodType,
): Definition {
  const { $schema, ...output } = z.toJSONSchema(z.object({ ...RESULT, data: data.optional() }), { override: tidy });
  return {
    ...{ name, title, description },
    inputSchema: { ...($schema ? { $schema } : {}), type: "object", properties, required, additionalProperties: false },
    outputSchema: { ...($schema ? { $schema } : {}), ...output, type: "object" },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** A value of JSON, or a list of them, as texts of a query; undefined for what a query cannot have. */
function toTexts(value: unknown): string[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  const isText = values.every((one) => ["string", "number", "boolean"].includes(typeof one));
  return isText ? values.map(String) : undefined;
}

/** @throws Error for a record that does not fit its endpoint */
export function toTool(record: ToolRecord, { params: all, id, summary, returns, one }: Endpoint): EndpointTool {
  const names = [...record.params, "asOf"];
  const params = Object.fromEntries(
    names.map((name) => {
      const param = all[name];
      if (!param) throw new Error(`the tool ${record.name} has no parameter ${name}`);
      return [name, param];
    }),
  );
  const [most] = record.most ?? [];
  const inQuery = Object.entries(params).map(([name, param]) => {
    const { description, schema } = toParameter(name, param);
    const bound = name === "limit" && most !== undefined ? { maximum: most } : {};
    return [name, { description, ...(schema as object), ...bound }] as const;
  });
  const inPath = id ? { id: { type: "string", minLength: 1, description: id.about, examples: [id.example] } } : {};
  const required = [...(id ? ["id"] : []), ...names.filter((name) => params[name]?.required)];
  const data = one ? z.union([returns.schema, one.returns.schema]) : returns.schema;
  const known = new Set([...names, ...Object.keys(inPath)]);

  function toUrl(given: Arguments): string {
    const problems = unknownProblems(
      Object.keys(given).filter((name) => !known.has(name)),
      params,
      true,
    );
    const query = new URLSearchParams(record.always);
    for (const name of known) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined || value === null) continue;
      const texts = toTexts(value);
      const isOne = name === "id" || !params[name]?.multi;
      if (!texts || (isOne && texts.length > 1))
        problems.push(`Invalid ${name} provided: it takes ${isOne ? "one value" : "a list of values"}`);
      else if (name !== "id") for (const text of texts) query.append(name, text);
    }
    if (most !== undefined && Number(query.get("limit") ?? 0) > most)
      problems.push(`Invalid limit provided: ${shown(query.get("limit") ?? "")} (allowed: a number from 1 to ${most})`);
    const [idText = ""] = (id && toTexts(given["id"])) ?? [];
    if (id && idText === "") problems.push('Parameter "id" not provided');
    if (problems.length > 0) throw new Problem(400, problems.join("; "));
    // With a limit the total is told.
    if (most !== undefined && params["limit"] && !record.isRanked && !query.has("limit"))
      query.set("limit", String(most));
    const path = `${BASE}${record.path.replace(":id", () => encodeURIComponent(idText))}`;
    // A segment of dots leads elsewhere.
    if (new URL(path, "http://localhost").pathname !== path)
      throw new Problem(404, `Nothing has the id ${shown(idText)}.`);
    return `${path}?${query}`;
  }

  return {
    record,
    params,
    definition: toDefinition(
      record,
      `${record.about} ${summary}.`,
      { ...inPath, ...Object.fromEntries(inQuery) },
      required,
      data,
    ),
    toUrl,
  };
}
