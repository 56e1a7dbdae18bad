/** What a tool takes, as JSON schema: as short as an assistant can use it, for all of it is read before the first call. */
import type { Endpoint } from "../response/endpoint.ts";
import type { Param, Params } from "../response/params.ts";
import type { ToolRecord } from "./tools.ts";

/** As the value of `fields`: all that the endpoint returns. */
export const ALL_FIELDS = "ALL";

/** Every list has them: the instructions say once what they mean. */
const EXPLAINED_ONCE: ReadonlySet<string> = new Set(["asOf", "limit", "offset"]);

/** The endpoint returns an hour as a part of a time: nobody asks for it alone. */
const PART_OF_TIME = /\.(?:hour|minute)$/;

function fieldsProperty({ schema }: Param<unknown>, usual: readonly string[] = []): object {
  const names = schema.enum?.filter((name) => !PART_OF_TIME.test(name)) ?? [];
  const marked = names.map((name) => (usual.includes(name) ? `${name}*` : name));
  return {
    type: "array",
    items: { type: "string" },
    description: `${ALL_FIELDS} or of ${marked.join(" ")}${usual.length > 0 ? "; by default those with *" : ""}`,
  };
}

/** What is said once for all texts, and values that stand for no value. */
const SAID_ONCE = /, ignoring case(?: and (?:blanks|diacritics))?|; (?:ANY|ALL)(?: and (?:ANY|ALL))? (?:ask|is)[^;]*/g;
const NO_VALUE: ReadonlySet<string> = new Set(["ANY", "ALL"]);

/** Without patterns: an example says more, and what is wrong is an error that says what is right. */
function toProperty(name: string, { about, multi, schema }: Param<unknown>): object {
  const { type, enum: all, examples = [] } = schema;
  if (EXPLAINED_ONCE.has(name)) return { type };
  const values = all?.filter((value) => !NO_VALUE.has(value));
  const value = { type, ...(values ? { enum: values } : {}) };
  const isPlain = type !== "string" || values !== undefined || examples.length === 0;
  return {
    description: about.replace(SAID_ONCE, ""),
    ...(multi ? { type: "array", items: value } : value),
    ...(isPlain ? {} : { examples: multi ? [examples] : examples.slice(0, 1) }),
  };
}

export function toInputSchema({ fields: usual, id: aboutId }: ToolRecord, { id }: Endpoint, params: Params) {
  const properties = Object.entries(params).map(([name, param]) => [
    name,
    name === "fields" ? fieldsProperty(param, usual) : toProperty(name, param),
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
