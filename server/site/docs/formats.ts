/**
 * The other formats of an answer: their media types, and the columns of a row. They stand beside the answer as `x-formats`: what is listed as its content
 * is what generated clients take for its type, and they read JSON.
 */
import type { Endpoint } from "../../response/endpoint.ts";
import { FORMAT_TYPES, hasFormats } from "../../response/formats/format.ts";
import { csvColumns, layoutOf } from "../../response/formats/layout.ts";
import type { Schema } from "./schema.ts";

const bare = (type: string): string => type.split(";")[0] ?? type;

/** Media type → what stands there, besides JSON; undefined for an endpoint that has JSON only. */
export function toFormats(endpoint: Endpoint): Record<string, { readonly schema: Schema }> | undefined {
  if (!hasFormats(endpoint)) return undefined;
  const { columns } = layoutOf(endpoint.returns);
  const csv = csvColumns(columns).map(({ path }) => path.join("."));
  const nested = Object.keys(columns);
  return {
    [bare(FORMAT_TYPES.csv)]: {
      schema: { type: "string", description: `a line of names, then a line for each row: ${csv.join(", ")}` },
    },
    [bare(FORMAT_TYPES.ndjson)]: {
      schema: { type: "string", description: `an object a line, with the fields ${nested.join(", ")}` },
    },
    [bare(FORMAT_TYPES.parquet)]: {
      schema: { type: "string", format: "binary", description: `the columns ${nested.join(", ")}` },
    },
  };
}
