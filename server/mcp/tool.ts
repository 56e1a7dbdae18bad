/** Derives a tool from its endpoint: its definition, and the request for a call. */
import type { Tool } from "@modelcontextprotocol/server";
import { BASE, type Endpoint } from "../response/endpoint.ts";
import type { Param, Params } from "../response/params.ts";
import { Problem, shown } from "../response/problem.ts";
import { unknownProblems } from "../response/warnings.ts";
import type { ToolRecord } from "./tools.ts";

export type Arguments = Readonly<Record<string, unknown>>;

export type EndpointTool = ReturnType<typeof toTool>;

export const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** The value of `fields` that selects everything the endpoint returns. */
const ALL_FIELDS = "ALL";

/** Parameters of every list; the instructions explain them once. */
const EXPLAINED_ONCE: ReadonlySet<string> = new Set(["asOf", "limit", "offset"]);

/** Matches components of a time, which are useless alone and therefore not listed. */
const PART_OF_TIME = /\.(?:hour|minute)$/;

function fieldsProperty({ schema }: Param<unknown>, defaultFields: readonly string[] = []): object {
  const names = schema.enum?.filter((name) => !PART_OF_TIME.test(name)) ?? [];
  const marked = names.map((name) => (defaultFields.includes(name) ? `${name}*` : name));
  return {
    type: "array",
    items: { type: "string" },
    description: `${ALL_FIELDS} or of ${marked.join(" ")}${defaultFields.length > 0 ? "; by default those with *" : ""}`,
  };
}

/** Phrases that the instructions state once for all texts, and values that mean "no value". */
const REDUNDANT_PHRASES =
  /, ignoring case(?: and (?:blanks|diacritics))?|; (?:ANY|ALL)(?: and (?:ANY|ALL))? (?:ask|is)[^;]*/g;
const NO_VALUE: ReadonlySet<string> = new Set(["ANY", "ALL"]);

/** Converts a parameter, without its pattern: an example is more useful, and an error states what is allowed. */
function toProperty(name: string, { about, multi, schema }: Param<unknown>): object {
  const { type, enum: all, examples = [] } = schema;
  if (EXPLAINED_ONCE.has(name)) return { type };
  const values = all?.filter((value) => !NO_VALUE.has(value));
  const value = { type, ...(values ? { enum: values } : {}) };
  const isPlain = type !== "string" || values !== undefined || examples.length === 0;
  return {
    description: about.replace(REDUNDANT_PHRASES, ""),
    ...(multi ? { type: "array", items: value } : value),
    ...(isPlain ? {} : { examples: multi ? [examples] : examples.slice(0, 1) }),
  };
}

/** Builds the input schema, as short as possible, because assistants read all schemas before the first call. */
function toInputSchema({ fields: defaultFields, id: aboutId }: ToolRecord, { id }: Endpoint, params: Params) {
  const properties = Object.entries(params).map(([name, param]) => [
    name,
    name === "fields" ? fieldsProperty(param, defaultFields) : toProperty(name, param),
  ]);
  const required = [...(id ? ["id"] : []), ...Object.keys(params).filter((name) => params[name]?.required)];
  return {
    type: "object" as const,
    properties: {
      ...(id ? { id: { type: "string", description: aboutId ?? id.about } } : {}),
      ...Object.fromEntries(properties),
    },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** Converts a JSON value, or a list of values, to texts of a query; undefined for values that a query cannot have. */
export function toTexts(value: unknown): string[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  const isText = values.every((item) => ["string", "number", "boolean"].includes(typeof item));
  return isText ? values.map(String) : undefined;
}

/** Creates a tool. @throws Error for a record that does not fit its endpoint */
export function toTool(record: ToolRecord, endpoint: Endpoint) {
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

  /** Builds the request URL. @throws Problem (400, 404) for invalid arguments */
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
  /** It has no output schema: results are alike for all tools, and `fields` names their contents. */
  const definition: Tool = { name, title, description, inputSchema, annotations: ANNOTATIONS };
  return { record, params, definition, toUrl };
}
