/** The formats in which every answer can be had, and how one is asked for: `format` in the query, or else the Accept header. */
import type { Endpoint } from "../endpoint.ts";
import { JSON_TYPE } from "../headers.ts";
import { oneOf, type Param } from "../params.ts";
import { readWeights } from "../encoding/encoding.ts";

export const FORMATS = ["json", "csv", "ndjson", "parquet"] as const;
export type Format = (typeof FORMATS)[number] | "atom" | "ics";

/** Those of an endpoint: feeds are of changes, calendars of sections. */
export const formatsOf = ({ formats = [] }: Pick<Endpoint, "formats">): readonly Format[] => [...FORMATS, ...formats];

/** What an answer in a format is called. */
export const FORMAT_TYPES: Readonly<Record<Format, string>> = {
  json: JSON_TYPE,
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  atom: "application/atom+xml; charset=utf-8",
  ics: "text/calendar; charset=utf-8",
};

/** The media type of a stream of events, which has no name as a format. */
export const EVENT_STREAM = "text/event-stream";

/** By which names a format may be asked for in an Accept header. */
const ACCEPTED: Readonly<Record<Format, readonly [string, ...string[]]>> = {
  json: ["application/json"],
  csv: ["text/csv"],
  ndjson: ["application/x-ndjson", "application/ndjson", "application/jsonl"],
  parquet: ["application/vnd.apache.parquet"],
  atom: ["application/atom+xml"],
  ics: ["text/calendar"],
};

const ABOUT = "response format; takes precedence over the Accept header";
const formatParam = (endpoint: Endpoint): Param<Format> => oneOf(ABOUT, formatsOf(endpoint));

/** Adds the parameter: the one place where an endpoint learns of formats. */
export const offerFormats = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  params: { ...endpoint.params, format: formatParam(endpoint) },
});

/** Whether the Accept header counts for an endpoint's answers. */
export const hasFormats = ({ params }: Pick<Endpoint, "params">): boolean => params["format"] !== undefined;

/** The most welcome format of an Accept header, by weight; of equally welcome ones the one that is named, then JSON. */
export function chooseFormat(accept: string, offered: readonly Format[] = FORMATS): Format {
  const weights = readWeights(accept);
  const [best] = offered
    .map((format) => {
      const named = ACCEPTED[format].flatMap((name) => weights.get(name) ?? []);
      const [type] = ACCEPTED[format][0].split("/");
      const wild = weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
      return { format, isNamed: named.length > 0, weight: named.length > 0 ? Math.max(...named) : wild };
    })
    .filter(({ weight }) => weight > 0)
    // Of equal weight: one that is named before one that a wildcard means.
    .sort((a, b) => b.weight - a.weight || Number(b.isNamed) - Number(a.isNamed));
  return best?.format ?? "json";
}

/** Of a response that browsers save as a file: `/grades/raw` → `grades-raw.csv`. */
export const fileHeaders = (path: string, format: Format): Record<string, string> => ({
  "Content-Type": FORMAT_TYPES[format],
  "Content-Disposition": `attachment; filename="${fileName(path)}.${format}"`,
});

const fileName = (path: string): string =>
  path
    .split("/")
    .filter((step) => /^\w+$/.test(step))
    .join("-");
