/**
 * Builds the input schema of a tool, as short as possible, because assistants read all schemas before the first call.
 */
import type { Endpoint } from "../response/endpoint.ts";
import type { Param, Params } from "../response/params.ts";
import type { ToolRecord } from "./tools.ts";

/** The value of `fields` that selects everything the endpoint returns. */
export const ALL_FIELDS = "ALL";

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

export function toInputSchema({ fields: defaultFields, id: aboutId }: ToolRecord, { id }: Endpoint, params: Params) {
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
