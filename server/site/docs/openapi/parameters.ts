/** The parameters of an endpoint in OpenAPI. */
import type { Endpoint } from "../../../response/endpoint.ts";
import type { Param } from "../../../response/params.ts";
import type { Schema } from "./schema.ts";

/** `example` is what the reference fills in, so the examples of an operation must work together; the others are in the schema. */
function toParameter(name: string, param: Param<unknown>, example: string | undefined): Schema {
  const { examples = [], default: byDefault, ...value } = param.schema;
  const filled = example ?? (param.required ? examples[0] : undefined);
  return {
    name,
    in: "query",
    required: param.required ?? false,
    description: param.about,
    // Repeated parameters work as well.
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

export function toParameters({ id, params, example }: Endpoint): Schema[] {
  const query = Object.entries(params).map(([name, param]) => toParameter(name, param, example?.[name]));
  if (!id) return [...query, PREFER];
  const inPath = { name: "id", in: "path", required: true, description: id.about, schema: { type: "string" } };
  return [{ ...inPath, example: id.example }, ...query, PREFER];
}
