/** Other formats of a response as `x-formats`, not as content: generated clients would take that for the type, and they read JSON. */
import type { Endpoint } from "../../response/endpoint.ts";
import { FORMAT_TYPES, hasFormats } from "../../response/formats/format.ts";
import { csvColumns, layoutOf } from "../../response/formats/layout.ts";
import type { Schema } from "./schema.ts";

const bare = (type: string): string => type.split(";")[0] ?? type;

/** By media type; undefined for an endpoint with JSON only. */
export function toFormats(endpoint: Endpoint): Record<string, { readonly schema: Schema }> | undefined {
  if (!hasFormats(endpoint)) return undefined;
  const { columns } = layoutOf(endpoint.returns);
  const csv = csvColumns(columns).map(({ path }) => path.join("."));
  const nested = Object.keys(columns);
  return {
    [bare(FORMAT_TYPES.csv)]: {
      schema: { type: "string", description: `a header line, then a line per row: ${csv.join(", ")}` },
    },
    [bare(FORMAT_TYPES.ndjson)]: {
      schema: { type: "string", description: `an object per line with the fields ${nested.join(", ")}` },
    },
    [bare(FORMAT_TYPES.parquet)]: {
      schema: { type: "string", format: "binary", description: `the columns ${nested.join(", ")}` },
    },
  };
}
