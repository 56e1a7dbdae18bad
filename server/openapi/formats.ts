/** Other formats and explanations as `x-formats` and `x-explain`, not as content: generated clients would take them for the type, and they read JSON. */
import type { Endpoint } from "../response/endpoint.ts";
import { hasFormats } from "../response/representations/all.ts";
import { atom } from "../response/representations/atom.ts";
import { EVENT_STREAM } from "../response/representations/events.ts";
import { csv, ndjson, parquet } from "../response/representations/files.ts";
import { ics } from "../response/representations/ics/calendar-file.ts";
import { csvColumns, rowOf } from "../response/representations/layout.ts";
import type { Schema } from "./schema.ts";
import { z } from "zod";
import { Explanation } from "../response/explain/shape.ts";
import type { DocumentedMode } from "../response/mode.ts";
import { tidy } from "./schemas.ts";

const bare = (type: string): string => type.split(";")[0] ?? type;

/** By media type; undefined for an endpoint with JSON only. */
export function toFormats(endpoint: Endpoint): Record<string, { readonly schema: Schema }> | undefined {
  if (!hasFormats(endpoint)) return undefined;
  const columns = rowOf(endpoint.returns);
  const header = csvColumns(columns).map(({ path }) => path.join("."));
  const nested = Object.keys(columns);
  const blank = "averageGPA" in columns ? "; averageGPA is null where JSON has 0 for want of letter grades" : "";
  const feed =
    endpoint.content === "changes"
      ? {
          [bare(atom.types[0])]: {
            schema: {
              type: "string",
              description:
                "an Atom feed (RFC 4287) of the newest 100 changes and all of the newest publication, newest first; `rel=next` leads to older ones (RFC 5005), limit and offset count from the newest",
            },
          },
          [EVENT_STREAM]: {
            schema: {
              type: "string",
              description:
                "server-sent events, for `Accept: text/event-stream` only: first the changes after `Last-Event-ID` or else `since`, if one is given, then every change within a second of its publication, each as JSON in `data` with an `id` to resume from; a comment every 15 seconds. Without limit, offset, until and asOf",
            },
          },
        }
      : {};
  const calendar =
    endpoint.content === "sections"
      ? {
          [bare(ics.types[0])]: {
            schema: {
              type: "string",
              description:
                "an iCalendar file (RFC 5545): the meetings of each section, weekly from its first meeting day to the last day of instruction, without the holidays and breaks of the academic calendar, and its final; cancelled sections with `STATUS:CANCELLED`; sections of which it has no class are named in `DESCRIPTION`, with the reason. `UID` is made of term, section code and number of the meeting, `SEQUENCE` counts the published changes of what an event shows",
            },
          },
        }
      : {};
  return {
    ...feed,
    ...calendar,
    [bare(csv.types[0])]: {
      schema: {
        type: "string",
        description: `a header line, then a line per row: ${header.join(", ")}${blank}. Cells are as they are: what begins with =, +, - or @ is a formula to a spreadsheet`,
      },
    },
    [bare(ndjson.types[0])]: {
      schema: { type: "string", description: `an object per line with the fields ${nested.join(", ")}${blank}` },
    },
    [bare(parquet.types[0])]: {
      schema: { type: "string", format: "binary", description: `the columns ${nested.join(", ")}${blank}` },
    },
  };
}

/** Its place in the document. */
export const EXPLANATION = "x-explanation";

export function toExplanation({ bodyOf }: DocumentedMode): Schema {
  const { $schema: _schema, ...schema } = z.toJSONSchema(Explanation, { override: tidy });
  return bodyOf(schema);
}
