/** The formats in which every answer can be had, and how one is asked for: `format` in the query, or else the Accept header. */
import type { Endpoint } from "../endpoint.ts";
import { JSON_TYPE } from "../headers.ts";
import { oneOf, type Param } from "../params.ts";
import { choose, offer, type Offer } from "../negotiation.ts";

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

/** What a client can ask for: a format, or a stream of events. */
export type Wanted = Format | "events";

/** In order of preference among equally welcome ones. */
const OFFERS: readonly Offer<Wanted>[] = [
  ...Object.entries(FORMAT_TYPES).map(([format, type]) => offer(format as Format, type)),
  // Further names of it.
  ...["application/ndjson", "application/jsonl"].map((type) => offer("ndjson" as const, type, { onlyByName: true })),
  // A stream never ends: nobody gets one who did not name it.
  offer("events", `${EVENT_STREAM}; charset=utf-8`, { onlyByName: true }),
];

/** Whether an endpoint's changes can be had as a stream of events. */
export const hasStream = ({ formats = [] }: Pick<Endpoint, "formats">): boolean => formats.includes("atom");

const ABOUT = "response format; takes precedence over the Accept header";
const formatParam = (endpoint: Endpoint): Param<Format> => oneOf(ABOUT, formatsOf(endpoint));

/** Adds the parameter: the one place where an endpoint learns of formats. */
export const offerFormats = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  params: { ...endpoint.params, format: formatParam(endpoint) },
});

/** Whether the Accept header counts for an endpoint's answers. */
export const hasFormats = ({ params }: Pick<Endpoint, "params">): boolean => params["format"] !== undefined;

/** What an Accept header asks an endpoint for. JSON is what everybody gets who names nothing else: browsers, and clients that accept anything. */
export function wantedBy(accept: string | null, endpoint: Pick<Endpoint, "formats">): Wanted {
  if (accept === null || accept === "*/*") return "json";
  const known: readonly Wanted[] = [...formatsOf(endpoint), ...(hasStream(endpoint) ? (["events"] as const) : [])];
  const offers = OFFERS.filter(({ what }) => known.includes(what));
  return choose(accept, offers) ?? "json";
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
