/** Derives a tool from its endpoint: its definition, and the request for a call. */
import { BASE, type Endpoint } from "../response/endpoint.ts";
import type { Params } from "../response/params.ts";
import { Problem, shown } from "../response/problem.ts";
import { unknownProblems } from "../response/warnings.ts";
import { ALL_FIELDS, toInputSchema } from "./input-schema.ts";
import type { ToolRecord } from "./tools.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * An entry of `tools/list`. It has no output schema: results are alike for all tools, and `fields` names their
 * contents.
 */
export interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly annotations: { readonly readOnlyHint: true; readonly idempotentHint: true; readonly openWorldHint: false };
}

export interface EndpointTool {
  readonly record: ToolRecord;
  readonly definition: Definition;
  readonly params: Params;
  /** Builds the request URL. @throws Problem (400, 404) for invalid arguments */
  toUrl(args: Arguments): string;
}

export const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** Converts a JSON value, or a list of values, to texts of a query; undefined for values that a query cannot have. */
export function toTexts(value: unknown): string[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  const isText = values.every((item) => ["string", "number", "boolean"].includes(typeof item));
  return isText ? values.map(String) : undefined;
}

/** Creates a tool. @throws Error for a record that does not fit its endpoint */
export function toTool(record: ToolRecord, endpoint: Endpoint): EndpointTool {
  const { params: all, id } = endpoint;
  const names = [...record.params, "asOf"];
  const params = Object.fromEntries(
    names.map((name) => {
      const param = all[name];
      if (!param) throw new Error(`the tool ${record.name} has no parameter ${name}`);
      return [name, param];
    }),
  );
  const [most] = record.most ?? [];
  const knownNames = new Set([...names, ...(id ? ["id"] : [])]);

  /**
   * Completes a query with defaults. `limit` defaults to the most elements that a request may ask for; the answer is
   * later cut by its size.
   */
  function completed(query: URLSearchParams): URLSearchParams {
    const fields = query.getAll("fields").flatMap((text) => text.split(","));
    if (fields.some((name) => name.trim() === ALL_FIELDS)) query.delete("fields");
    else if (fields.length === 0 && record.fields) {
      const ids = query.get("instructorIds") === "true" ? ["instructorIds"] : [];
      query.set("fields", [...record.fields, ...ids].join());
    }
    const limit = query.get("limit") ?? "";
    if (most !== undefined && params["limit"] && (limit === "" ? !record.isRanked : Number(limit) > most))
      query.set("limit", String(most));
    return query;
  }

  function toUrl(args: Arguments): string {
    const problems = unknownProblems(
      Object.keys(args).filter((name) => !knownNames.has(name)),
      params,
      true,
    );
    const query = new URLSearchParams(record.always);
    for (const name of knownNames) {
      const value = Object.hasOwn(args, name) ? args[name] : undefined;
      if (value === undefined || value === null) continue;
      const texts = toTexts(value);
      const isOne = name === "id" || !params[name]?.multi;
      if (!texts || (isOne && texts.length > 1))
        problems.push(`Invalid ${name} provided: it takes ${isOne ? "one value" : "a list of values"}`);
      else if (name !== "id") for (const text of texts) query.append(name, text);
    }
    const [idText = ""] = (id && toTexts(args["id"])) ?? [];
    if (id && idText === "") problems.push('Parameter "id" not provided');
    if (problems.length > 0) throw new Problem(400, problems.join("; "));
    const path = `${BASE}${record.path.replace(":id", () => encodeURIComponent(idText))}`;
    // A segment of dots would lead to another path.
    if (new URL(path, "http://localhost").pathname !== path)
      throw new Problem(404, `Nothing has the id ${shown(idText)}.`);
    return `${path}?${completed(query)}`;
  }

  const { name, title, about: description } = record;
  const inputSchema = toInputSchema(record, endpoint, params);
  return { record, params, definition: { name, title, description, inputSchema, annotations: ANNOTATIONS }, toUrl };
}
