/** The parameters of an endpoint, as OpenAPI has them. */
import type { Endpoint } from "../../response/endpoint.ts";
import type { Param } from "../../response/params.ts";
import type { Schema } from "./schema.ts";

/**
 * Examples of a parameter stand in its schema. An `example` beside it is what the reference fills in before anything is asked: only what makes a good first
 * question together.
 */
function toParameter(name: string, param: Param<unknown>, asked: string | undefined): Schema {
  const { examples = [], default: byDefault, ...value } = param.schema;
  const filled = asked ?? (param.required ? examples[0] : undefined);
  return {
    name,
    in: "query",
    required: param.required ?? false,
    description: param.about,
    // Several values are one parameter with commas; repeated parameters are understood as well.
    ...(param.multi ? { style: "form", explode: false } : {}),
    schema: {
      ...(param.multi ? { type: "array", items: value, examples: [examples] } : { ...value, examples }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
    },
    ...(filled === undefined ? {} : { example: param.multi ? [filled] : filled }),
  };
}

const PREFER: Schema = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "with `handling=strict` (RFC 7240) an unknown parameter is a 400",
  schema: { type: "string", examples: ["handling=strict"] },
};

/** Of the path first, then of the query, then of the head. */
export function toParameters({ id, params, example }: Endpoint): Schema[] {
  const query = Object.entries(params).map(([name, param]) => toParameter(name, param, example?.[name]));
  if (!id) return [...query, PREFER];
  const inPath = { name: "id", in: "path", required: true, description: id.about, schema: { type: "string" } };
  return [{ ...inPath, example: id.example }, ...query, PREFER];
}
