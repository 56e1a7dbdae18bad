/** All representations of a response, and the parameter `format` that names them. */
import type { Endpoint } from "../endpoint.ts";
import { isOf } from "../negotiation.ts";
import { oneOf, type Param } from "../params.ts";
import { atom, events } from "./changes.ts";
import { explanation } from "../explain/explain.ts";
import { csv, ndjson, parquet } from "./files.ts";
import { ics } from "./ics/calendar-file.ts";
import { json } from "./json.ts";
import type { Representation } from "./representation.ts";

/** In order of preference among equally preferred ones; the first is the default. */
export const REPRESENTATIONS: readonly Representation[] = [json, csv, ndjson, parquet, atom, ics, events, explanation];

export const representationsOf = (endpoint: Pick<Endpoint, "content">): readonly Representation[] =>
  REPRESENTATIONS.filter(isOf(endpoint));

export const formatsOf = (endpoint: Pick<Endpoint, "content">): readonly string[] =>
  representationsOf(endpoint)
    .filter(({ isFormat }) => isFormat)
    .map(({ name }) => name);

export const formatParam = (endpoint: Endpoint): Param<string> =>
  oneOf("response format; takes precedence over the Accept header", formatsOf(endpoint));
