/** All representations of a response, and how a client selects one: by a parameter, by `format`, or else by Accept. */
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

/** In order of preference among equally preferred ones; the first is the default. */
export const REPRESENTATIONS: readonly Representation[] = [json, csv, ndjson, parquet, atom, ics, events, explanation];

const isOf =
  ({ content }: Pick<Endpoint, "content">) =>
  ({ of }: Representation): boolean =>
    of === undefined || of === content;

/** Returns the representations that an endpoint has. */
export const representationsOf = (endpoint: Pick<Endpoint, "content">): readonly Representation[] =>
  REPRESENTATIONS.filter(isOf(endpoint));

/** Returns the values of `format`. */
export const formatsOf = (endpoint: Pick<Endpoint, "content">): readonly string[] =>
  representationsOf(endpoint)
    .filter(({ isFormat }) => isFormat)
    .map(({ name }) => name);

const ABOUT = "response format; takes precedence over the Accept header";
const formatParam = (endpoint: Endpoint): Param<string> => oneOf(ABOUT, formatsOf(endpoint));

/** Adds the `format` parameter to an endpoint. */
export const offerFormats = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  params: { ...endpoint.params, format: formatParam(endpoint) },
});

/** True if Accept matters for an endpoint's responses. */
export const hasFormats = ({ params }: Pick<Endpoint, "params">): boolean => params["format"] !== undefined;

/** Converts representations to offers; types that match only by name come last. */
const toOffers = (representations: readonly Representation[]): Offer<Representation>[] =>
  representations
    .flatMap((representation) =>
      representation.types.map((type, i) =>
        offer(representation, type, { onlyByName: i > 0 || representation.onlyByName === true }),
      ),
    )
    .sort((a, b) => Number(a.onlyByName) - Number(b.onlyByName));

/** Selects a representation: by the parameters, or else by the Accept header. */
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
  const defaultRepresentation = representations[0] as Representation;
  if (named || accept === null || accept === "*/*") return named ?? defaultRepresentation;
  const has = isOf(endpoint);
  const isRefused = ({ parameter }: Representation) => parameter !== undefined && values[parameter] === false;
  const offers = toOffers(representations).filter(({ value }) => has(value) && !isRefused(value));
  return choose(accept, offers) ?? defaultRepresentation;
}
