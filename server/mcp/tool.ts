/** A tool made from its endpoint: what it tells about itself, and the request that a call becomes. */
import { BASE, type Endpoint } from "../response/endpoint.ts";
import type { Params } from "../response/params.ts";
import { Problem, shown } from "../response/problem.ts";
import { unknownProblems } from "../response/warnings.ts";
import { ALL_FIELDS, toInputSchema } from "./input-schema.ts";
import type { ToolRecord } from "./tools.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** As `tools/list` has it. Results have no schema there: they are alike in all tools, and `fields` names what is in them. */
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
  /** @throws Problem (400, 404) for arguments that no request can have */
  toUrl(given: Arguments): string;
}

export const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** A value of JSON, or a list of them, as texts of a query; undefined for what a query cannot have. */
export function toTexts(value: unknown): string[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  const isText = values.every((one) => ["string", "number", "boolean"].includes(typeof one));
  return isText ? values.map(String) : undefined;
}

/** @throws Error for a record that does not fit its endpoint */
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
  const known = new Set([...names, ...(id ? ["id"] : [])]);

  /** `limit` is what an answer may hold at most: it is cut by its bytes. */
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
    const [idText = ""] = (id && toTexts(given["id"])) ?? [];
    if (id && idText === "") problems.push('Parameter "id" not provided');
    if (problems.length > 0) throw new Problem(400, problems.join("; "));
    const path = `${BASE}${record.path.replace(":id", () => encodeURIComponent(idText))}`;
    // A segment of dots leads elsewhere.
    if (new URL(path, "http://localhost").pathname !== path)
      throw new Problem(404, `Nothing has the id ${shown(idText)}.`);
    return `${path}?${completed(query)}`;
  }

  const { name, title, about: description } = record;
  const inputSchema = toInputSchema(record, endpoint, params);
  return { record, params, definition: { name, title, description, inputSchema, annotations: ANNOTATIONS }, toUrl };
}
