/** The ways in which a response can be had, and how a client asks for one: by a parameter, by `format`, or else by the Accept header. */
import type { Endpoint } from "../endpoint.ts";
import { choose, offer, type Offer } from "../negotiation.ts";
import { oneOf, type Param } from "../params.ts";
import { atom } from "./atom.ts";
import { events } from "./events.ts";
import { explanation } from "./explanation.ts";
import { csv, ndjson, parquet } from "./files.ts";
import { ics } from "./ics/calendar-file.ts";
import { json } from "./json.ts";
import type { Representation } from "./representation.ts";

/** In order of preference among equally welcome ones; the first is what everybody gets who names nothing. */
export const REPRESENTATIONS: readonly Representation[] = [json, csv, ndjson, parquet, atom, ics, events, explanation];

const isOf =
  ({ content }: Pick<Endpoint, "content">) =>
  ({ of }: Representation): boolean =>
    of === undefined || of === content;

/** Those that an endpoint has. */
export const representationsOf = (endpoint: Pick<Endpoint, "content">): readonly Representation[] =>
  REPRESENTATIONS.filter(isOf(endpoint));

/** What `format` takes. */
export const formatsOf = (endpoint: Pick<Endpoint, "content">): readonly string[] =>
  representationsOf(endpoint)
    .filter(({ isFormat }) => isFormat)
    .map(({ name }) => name);

const ABOUT = "response format; takes precedence over the Accept header";
const formatParam = (endpoint: Endpoint): Param<string> => oneOf(ABOUT, formatsOf(endpoint));

/** Adds the parameter: the one place where an endpoint learns of formats. */
export const offerFormats = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  params: { ...endpoint.params, format: formatParam(endpoint) },
});

/** Whether the Accept header counts for an endpoint's responses. */
export const hasFormats = ({ params }: Pick<Endpoint, "params">): boolean => params["format"] !== undefined;

/** What is only had by name comes last. */
const toOffers = (representations: readonly Representation[]): Offer<Representation>[] =>
  representations
    .flatMap((one) => one.types.map((type, i) => offer(one, type, { onlyByName: i > 0 || one.onlyByName === true })))
    .sort((a, b) => Number(a.onlyByName) - Number(b.onlyByName));

/** What a request asks for: what its parameters name, or else what its Accept header prefers of what the endpoint has. */
export function representationFor(
  endpoint: Pick<Endpoint, "content">,
  values: Readonly<Record<string, unknown>>,
  accept: string | null,
  representations: readonly Representation[] = REPRESENTATIONS,
): Representation {
  const { format } = values;
  const named =
    representations.find(({ parameter }) => parameter !== undefined && values[parameter] === true) ??
    (format === undefined ? undefined : representations.find(({ isFormat, name }) => isFormat && name === format));
  const usual = representations[0] as Representation;
  if (named || accept === null || accept === "*/*") return named ?? usual;
  const has = isOf(endpoint);
  const isRefused = ({ parameter }: Representation) => parameter !== undefined && values[parameter] === false;
  const offers = toOffers(representations).filter(({ what }) => has(what) && !isRefused(what));
  return choose(accept, offers) ?? usual;
}
